/// How much may be on its way to a server that was seen to end the stream at more, until it has answered something behind it.
struct SendingWindow: Equatable {
    /// In bytes on the stream.
    let size: Int
    private var inFlight = 0
    /// How much of it is in front of the question that the server was asked; nil while none is asked.
    private var asked: Int?

    init(size: Int) { self.size = size }

    /// Whether a message of so many bytes may leave now. One that is alone always may.
    func takes(_ bytes: Int) -> Bool { inFlight == 0 || inFlight + bytes <= size }

    mutating func sent(_ bytes: Int) { inFlight += bytes }

    /// Whether the server has to be asked now.
    mutating func asks() -> Bool {
        guard asked == nil, inFlight > 0 else { return false }
        asked = inFlight
        return true
    }

    /// The server answered, or never will: what was in front of the question is not on its way any more.
    mutating func answered() {
        inFlight -= asked ?? 0
        asked = nil
    }

    /// Nothing is on its way.
    mutating func clear() { self = SendingWindow(size: size) }
}
