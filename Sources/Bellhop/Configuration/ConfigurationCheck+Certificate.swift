internal import BellhopCrypto

/// The bot's own certificate and its key.
extension ConfigurationCheck {
    /// Reads both, and whether they belong together.
    mutating func checkCertificate() {
        guard let file = draft.connection.certificate.file.map(resolved) else { return }
        let key = draft.connection.certificate.key.map(resolved)
        setCertificate(file, key: key)
        let certificate = read(file, "account.certificate.file", holdsKey: key == nil, holdsCertificate: true)
        let name = key == nil ? "account.certificate.file" : "account.certificate.key"
        let held = key.map { read($0, name, holdsKey: true, holdsCertificate: false) } ?? certificate
        if let certificate, let held, TLSIdentity.isPair(certificate: certificate, key: held) == false {
            walker.report(.keyOfAnother(key ?? file, certificate: file), name, walker.seen[name]?.position)
        }
    }

    /// What the file holds; nil where it cannot be read.
    private mutating func read(
        _ path: String, _ name: String, holdsKey: Bool, holdsCertificate: Bool
    ) -> [UInt8]? {
        let position = walker.seen[name]?.position
        switch loader.surroundings.read(path, limit: 1_048_576) {
        case .failure(let trouble):
            walker.report(.authoritiesUnreadable(path, reason: trouble.phrase), name, position)
            return nil
        case .success(let file):
            let text = String(decoding: file.bytes, as: UTF8.self)
            if holdsCertificate, !text.contains("-----BEGIN CERTIFICATE-----") {
                walker.report(.noAuthorities(path), name, position)
            }
            guard holdsKey else { return file.bytes }
            if text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED") {
                walker.report(.keyEncrypted(path), name, position)
            } else if !text.contains("PRIVATE KEY-----") {
                walker.report(.noKey(path), name, position)
            } else if file.isOpenToOthers {
                noteOpenFile(path, mode: file.mode, name)
            }
            return file.bytes
        }
    }
}
