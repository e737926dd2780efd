internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXML
internal import BellhopXMPP

/// Copies of what other devices of the account send and get, for the log (XEP-0280).
extension AccountLoop {
    /// Asks for copies where the server makes them. A server that does not, or does not say so, is no trouble.
    func copyMessages(_ session: LiveSession) {
        request(.get(ServiceInfo.request), to: server) { [self] reply in
            guard live === session, case .result(let payload?)? = reply,
                ServiceInfo(payload)?.features.contains(Namespace.carbons) == true
            else { return }
            request(.set(Element("enable", namespace: Namespace.carbons)), to: nil) { [log] reply in
                switch reply {
                case .result?: log.debug("carbons", "The server copies what other devices of the account say")
                case .error(let error)?:
                    log.warning(
                        "carbons",
                        "The server makes no copies of what other devices of the account say; their words are missing in the log",
                        ["reason": error.condition.rawValue])
                case nil: break
                }
            }
        }
    }
}
