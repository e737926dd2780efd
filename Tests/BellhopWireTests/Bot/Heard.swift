import Synchronization

/// What a callback on another thread was told.
final class Heard: Sendable {
    private let kept = Mutex<[String]>([])

    func note(_ text: String) { kept.withLock { $0.append(text) } }
    var all: [String] { kept.withLock { $0 } }
}
