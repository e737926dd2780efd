internal import CBellhopProcess
internal import Glibc

/// Rings in a loop that waits in poll(2); any thread may.
final class Doorbell: Sendable {
    let reading: Int32
    private let writing: Int32

    enum Ring: UInt8 {
        case cancelled = 1
        case ended = 2
    }

    /// Nil when the process has no descriptor left; `errno` says why.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe bellhop_pipe(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else { return nil }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func ring(_ ring: Ring) {
        var byte = ring.rawValue
        _ = unsafe write(writing, &byte, 1)
    }

    /// What rang since the last look.
    func take() -> [Ring] {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(reading, $0.baseAddress, $0.count) }
        return bytes.prefix(max(count, 0)).compactMap(Ring.init(rawValue:))
    }
}
