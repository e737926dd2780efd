/// A whole login against a server that says anything: no trap, nothing in the clear, and no session by one that proved nothing.
enum NegotiationTarget {
    static let bytes = FuzzTarget(name: "negotiation") { data, count in
        let bytes = Array(UnsafeBufferPointer(start: data, count: count))
        if let finding = MadeUpServer.finding(bytes) { fatalError(finding) }
        return 0
    }
}
