/// The bot's own certificate and its key.
extension ConfigurationCheck {
    /// Reads both; whether they belong together is seen at the login.
    mutating func checkCertificate() {
        guard let file = draft.connection.certificate.file.map(resolved) else { return }
        let key = draft.connection.certificate.key.map(resolved)
        setCertificate(file, key: key)
        read(file, "account.certificate.file", holdsKey: key == nil, holdsCertificate: true)
        if let key { read(key, "account.certificate.key", holdsKey: true, holdsCertificate: false) }
    }

    private mutating func read(_ path: String, _ name: String, holdsKey: Bool, holdsCertificate: Bool) {
        let position = walker.seen[name]?.position
        switch loader.surroundings.read(path, limit: 1_048_576) {
        case .failure(let trouble):
            walker.report(.authoritiesUnreadable(path, reason: trouble.phrase), name, position)
        case .success(let file):
            let text = String(decoding: file.bytes, as: UTF8.self)
            if holdsCertificate, !text.contains("-----BEGIN CERTIFICATE-----") {
                walker.report(.noAuthorities(path), name, position)
            }
            guard holdsKey else { return }
            if text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED") {
                walker.report(.keyEncrypted(path), name, position)
            } else if !text.contains("PRIVATE KEY-----") {
                walker.report(.noKey(path), name, position)
            } else if file.isOpenToOthers {
                noteOpenFile(path, mode: file.mode, name)
            }
        }
    }
}
