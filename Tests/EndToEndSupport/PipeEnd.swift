import Dispatch
import Glibc
import Synchronization

/// The end of a pipe at which a child is read. A thread of its own takes what comes; whoever looks at the transcript takes what is there,
/// so that nobody misses what the child wrote before it did something else that a test has seen.
final class PipeEnd: Sendable {
    private let descriptor: Int32
    private let transcript: Transcript
    /// Whether the child may still write; held while its bytes move from the pipe to the transcript, so that they stay in order.
    private let isOpen = Mutex(true)

    private init(_ descriptor: Int32, _ transcript: Transcript) {
        self.descriptor = descriptor
        self.transcript = transcript
    }

    /// Reads until the end of the pipe, and closes the descriptor then.
    static func read(_ descriptor: Int32, into transcript: Transcript) {
        // Only this end: the child's writing waits as ever.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let end = PipeEnd(descriptor, transcript)
        transcript.follow(end)
        DispatchQueue(label: "bellhop.test.read").async {
            while end.take() {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&wanted, 1, -1)
            }
            transcript.follow(nil)
            close(descriptor)
        }
    }

    /// Takes what is in the pipe now; whether more may come.
    @discardableResult
    func take() -> Bool {
        isOpen.withLock { isOpen in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while isOpen {
                let count = unsafe buffer.withUnsafeMutableBytes {
                    unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
                }
                if count > 0 {
                    transcript.append(Array(buffer[..<count]))
                } else if count < 0, errno == EAGAIN {
                    return true
                } else if count == 0 || errno != EINTR {
                    isOpen = false
                    transcript.close()
                }
            }
            return false
        }
    }
}
