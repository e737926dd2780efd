internal import BellhopXML
internal import BellhopXMPP

/// Taking up a broken stream instead of binding a resource (XEP-0198 section 5).
extension StreamNegotiation {
    mutating func resume(_ method: LoginMethod, _ offered: ServerFeatures, on ground: Ground) -> [Action] {
        guard let resumption = plan.resumption else { return fail(.bindNotOffered) }
        var ground = ground
        ground.isResumptionTried = true
        state = .resuming(method, offered, ground, resumption)
        return [.send(resumption.request)]
    }

    mutating func receivedResumptionAnswer(
        _ element: Element, _ method: LoginMethod, _ offered: ServerFeatures, _ ground: Ground,
        _ resumption: Resumption
    ) -> [Action] {
        let count = StreamManagement.count(in: element)
        if element.is("failed", Namespace.streamManagement) {
            return [.resumptionFailed(handled: count)] + advance(offered, on: ground)
        }
        // What the server believes of the stream is not known then; the next attempt begins a new one.
        guard element.is("resumed", Namespace.streamManagement), let count,
            (element["previd"] ?? resumption.id) == resumption.id
        else { return [.resumptionFailed(handled: nil)] + unexpected(element) }
        state = .finished
        let bound = Bound(
            jid: resumption.bound, method: method, encrypted: ground.encrypted, features: offered)
        return [.resumed(bound, handled: count)]
    }
}

extension Resumption {
    /// What asks the server for it.
    var request: Element {
        Element("resume", namespace: Namespace.streamManagement).with("h", "\(handled)").with("previd", id)
    }
}
