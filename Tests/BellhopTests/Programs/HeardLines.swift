import Synchronization

/// Lines as a person would get them.
final class HeardLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    @Sendable func add(_ more: [String]) { lines.withLock { $0 += more } }
}
