package import BellhopXML

/// What a client did on a connection.
package enum ConnectionFact: Sendable, Equatable {
    /// The start tag of its stream.
    case opened(Element)
    case stanza(Element)
    /// Its stream's end tag.
    case closedStream
    /// The TLS handshake is done.
    case secured(SecuredLine)
    /// Not of the client: all that was ordered before this number is in the kernel's hands.
    case handedOver(Int)
    /// It broke XML or TLS.
    case broke(String)
    /// It ended its side of the TCP connection; whether TLS was ended before, is told.
    case left(properly: Bool)

    var text: String {
        switch self {
        case .opened(let header): "stream header \(header.serialized())"
        case .stanza(let stanza): stanza.serialized(in: "jabber:client")
        case .closedStream: "</stream:stream>"
        case .secured: "(TLS is up)"
        case .handedOver(let number): "(handed over \(number))"
        case .broke(let reason): "(the client broke the stream: \(reason))"
        case .left(let properly): properly ? "(the client left)" : "(the client left without ending TLS)"
        }
    }
}
