internal import BellhopDiagnostics
internal import BellhopXML
internal import BellhopXMPP

/// Every stanza that comes and goes, at the level `trace` and with secrets cut out.
extension AccountLoop {
    func trace(_ event: StreamEvent) {
        switch event {
        case .opened(let header):
            log.trace("in", "stream opened", ["id": header["id"] ?? "", "from": header["from"] ?? ""])
        case .element(let element):
            let stanza = Redaction.stanza(element.serialized(in: Namespace.client))
            log.trace("in", secrets.reduce(stanza) { $1.cut(from: $0) })
        case .closed: log.trace("in", "stream closed")
        case .failed(let fault): log.trace("in", "unreadable: \(fault)")
        }
    }

    func traceSent() {
        log.trace("out", Redaction.stanza(String(decoding: outbox.bytes, as: UTF8.self)))
    }
}
