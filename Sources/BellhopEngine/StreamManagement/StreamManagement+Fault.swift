package import BellhopXML
internal import BellhopXMPP

extension StreamManagement.Fault {
    /// What ends the stream when the server counts wrongly (XEP-0198 section 4).
    package var element: Element {
        let condition = Element("undefined-condition", namespace: Namespace.streamErrors)
        let error = Element("error", namespace: Namespace.streams).with(condition)
        switch self {
        case .tooHigh(let handled, let sent):
            return error.with(
                Element("handled-count-too-high", namespace: Namespace.streamManagement)
                    .with("h", "\(handled)").with("send-count", "\(sent)"))
        case .backwards, .unreadable, .unacknowledged: return error
        }
    }
}
