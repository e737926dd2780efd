internal import CBellhopOpenSSL

/// OpenSSL's per-thread list of errors: cleared before a call that may fail, drained into the error after it.
enum ErrorQueue {
    /// Looks first: the list is nearly always empty, and clearing costs as much as a small record.
    static func clear() { if ERR_peek_error() != 0 { ERR_clear_error() } }

    /// Whether the oldest error is a peer's certificate that did not verify; the list stays as it is.
    static var firstIsRefusedCertificate: Bool {
        let code = ERR_peek_error()
        return ERR_GET_LIB(code) == ERR_LIB_SSL && ERR_GET_REASON(code) == SSL_R_CERTIFICATE_VERIFY_FAILED
    }

    /// Empties the list into one text, oldest reason first.
    static func drain() -> String {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            guard let reason = unsafe ERR_reason_error_string(code) else {
                reasons.append("OpenSSL error \(code)")
                continue
            }
            unsafe reasons.append(String(cString: reason))
        }
        return reasons.isEmpty ? "no reason given" : reasons.joined(separator: "; ")
    }
}
