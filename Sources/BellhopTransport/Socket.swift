internal import CBellhopResolv
internal import Glibc

/// A connected, non-blocking TCP socket; closed when the last reference goes.
package final class Socket: Sendable {
    let descriptor: Int32
    /// The numeric address of the peer.
    package let address: String
    package let port: UInt16

    init(descriptor: Int32, address: String, port: UInt16) {
        self.descriptor = descriptor
        self.address = address
        self.port = port
    }

    deinit { close(descriptor) }

    package enum ReadOutcome: Equatable, Sendable {
        case bytes(Int)
        case wouldBlock
        case ended
        case failed(TransportError)
    }

    /// Reads at most `buffer.count` bytes to the start of the buffer.
    package func read(into buffer: inout [UInt8]) -> ReadOutcome {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { room in
                unsafe recv(descriptor, room.baseAddress, room.count, 0)
            }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: return .failed(.system(call: "recv", code: errno))
            }
        }
    }

    package enum WriteOutcome: Equatable, Sendable {
        /// How many bytes the kernel took; fewer than offered means "wait until writable".
        case bytes(Int)
        case failed(TransportError)
    }

    package func write(_ bytes: Span<UInt8>) -> WriteOutcome {
        unsafe bytes.withUnsafeBytes { all in
            var offset = 0
            while offset < all.count {
                guard let base = all.baseAddress else { break }
                let count = unsafe send(descriptor, base + offset, all.count - offset, Int32(MSG_NOSIGNAL))
                if count >= 0 {
                    offset += count
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN: return .bytes(offset)
                default: return .failed(.system(call: "send", code: errno))
                }
            }
            return .bytes(offset)
        }
    }

    /// Tells the peer that nothing more comes; reading stays possible.
    package func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }
}
