internal import Glibc

/// Our ends of a running program's pipes: what it reads is written, what it writes is read, none of them waited for.
struct ProgramStreams {
    private let start: ProcessStart
    private var input: ArraySlice<UInt8>
    /// How many bytes may still come.
    private var room: Int
    private var outputIsOpen = true
    private var errorsAreOpen: Bool
    private var chunk = [UInt8](repeating: 0, count: 65_536)
    /// Whether the program printed more than it may.
    private(set) var isOverLimit = false

    init(_ start: ProcessStart, input: [UInt8], limit: Int) {
        self.start = start
        self.input = input[...]
        room = limit
        errorsAreOpen = start.errors != nil
    }

    /// Waits until something can be moved, the bell rings or the time comes; true when the bell rang.
    func wait(bell: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        var wanted = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
        if outputIsOpen { wanted.append(pollfd(fd: start.output.reading, events: Int16(POLLIN), revents: 0)) }
        if errorsAreOpen, let errors = start.errors {
            wanted.append(pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0))
        }
        if let writing = start.input?.writing, writing >= 0 {
            wanted.append(pollfd(fd: writing, events: Int16(POLLOUT), revents: 0))
        }
        let left = (deadline - .now) / .milliseconds(1)
        let limit = Int32(min(max(left + 1, 0), 60_000))
        return unsafe poll(&wanted, nfds_t(wanted.count), limit) > 0 && wanted[0].revents != 0
    }

    /// Moves what can be moved now.
    mutating func transfer(_ sink: inout some ProgramSink) {
        feed()
        while outputIsOpen {
            let count = read(start.output.reading)
            if count < 0 { break }
            if count == 0 { outputIsOpen = false }
            sink.received(output: taken(count))
            if isOverLimit { break }
        }
        while errorsAreOpen, let errors = start.errors {
            let count = read(errors.reading)
            if count < 0 { break }
            if count == 0 { errorsAreOpen = false }
            sink.received(errors: taken(count))
            if isOverLimit { break }
        }
    }

    /// What of a chunk is within the limit. Past it one chunk is thrown away at a time, so that stopping is not put off.
    private mutating func taken(_ count: Int) -> ArraySlice<UInt8> {
        if count > room { isOverLimit = true }
        let taken = min(count, room)
        room -= taken
        return chunk[..<taken]
    }

    /// Below zero when nothing is there yet, zero at the end.
    private mutating func read(_ descriptor: Int32) -> Int {
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            if errno == EINTR { continue }
            return errno == EAGAIN ? -1 : 0
        }
    }

    /// A program need not read all that it is given.
    private mutating func feed() {
        guard let pipe = start.input, pipe.writing >= 0 else { return }
        while !input.isEmpty {
            let count = unsafe input.withUnsafeBytes { unsafe Glibc.write(pipe.writing, $0.baseAddress, $0.count) }
            if count > 0 {
                input = input.dropFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                input = []
            }
        }
        pipe.closeWriting()
    }
}
