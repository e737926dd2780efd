internal import CBellhopResolv
internal import Glibc

extension Socket {
    /// Two sockets that are each other's peer, inside this process; what one writes the other can read at once, which makes a stage
    /// repeatable.
    package static func pair() throws(TransportError) -> (Socket, Socket) {
        var ends: [Int32] = [-1, -1]
        guard unsafe bellhop_local_pair(&ends) == 0 else { throw .system(call: "socketpair", code: errno) }
        return (
            Socket(descriptor: ends[0], address: "127.0.0.1", port: 0),
            Socket(descriptor: ends[1], address: "127.0.0.1", port: 0)
        )
    }
}
