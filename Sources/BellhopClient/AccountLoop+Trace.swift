internal import BellhopDiagnostics
internal import BellhopXML
internal import BellhopXMPP

/// Every stanza that comes and goes, at the level `trace` and with secrets cut out, and whatever a server was told and says back.
extension AccountLoop {
    func trace(_ event: StreamEvent) {
        switch event {
        case .opened(let header):
            log.trace(
                "in", "stream opened",
                [
                    "id": secrets.cut(from: header["id"] ?? ""),
                    "from": secrets.cut(from: header["from"] ?? ""),
                ])
        case .element(let element):
            log.trace("in", secrets.cut(from: Redaction.stanza(element.serialized(in: Namespace.client))))
        case .closed: log.trace("in", "stream closed")
        case .failed(let fault): log.trace("in", "unreadable: " + secrets.cut(from: "\(fault)"))
        }
    }

    func traceSent() {
        // An answer repeats what it answers.
        log.trace(
            "out", secrets.cut(from: Redaction.stanza(String(decoding: outbox.bytes, as: UTF8.self))))
    }
}
