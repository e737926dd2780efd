/// A request, and whether who made it still waits for what becomes of it.
package struct ControlCall: Sendable {
    package let request: ControlRequest
    private let asker: @Sendable () -> Bool

    init(_ request: ControlRequest, isWanted asker: @escaping @Sendable () -> Bool) {
        self.request = request
        self.asker = asker
    }

    /// False once the other end has given it up; it is not begun then, since whoever gave it up may ask again.
    package var isWanted: Bool { asker() }
}
