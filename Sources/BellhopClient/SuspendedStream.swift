internal import BellhopEngine
internal import BellhopXMPP

/// A stream that broke and may go on where it broke (XEP-0198 section 5).
struct SuspendedStream {
    var stream: StreamManagement
    /// The full address that is bound to it.
    let bound: JID
    /// What was known and waited for; nil where an earlier process had the stream.
    let session: LiveSession?
    /// The presence that the server has of us.
    let shown: String?
    let since: Duration
    /// Whether the place that the server would like was tried already.
    var wasLocationTried = false

    /// What to ask the server with; nil where it does not let us resume.
    mutating func takeResumption() -> Resumption? {
        stream.resuming()
        return stream.stored(bound: bound).map { Resumption(id: $0.id, handled: $0.handled, bound: bound) }
    }
}
