internal import Synchronization

/// Where other threads put what the loop shall handle; posting wakes the loop.
///
/// It is bounded by what posts into it: each connection attempt, outside request and end of a handler posts once, and what
/// the code of bots says and asks passes a gate of its own with limits (`InputGate` of BellhopBot).
package final class Inbox<Input: Sendable>: Sendable {
    private let waiting = Mutex<[Input]>([])
    private let wakeup: Wakeup

    package init(wakeup: Wakeup) { self.wakeup = wakeup }

    package func post(_ input: Input) {
        let wasEmpty = waiting.withLock { list in
            list.append(input)
            return list.count == 1
        }
        if wasEmpty { wakeup.ring() }
    }

    /// Everything posted so far, in order; the inbox is empty afterwards.
    package func take() -> [Input] {
        waiting.withLock { list in
            if list.isEmpty { return [] }
            let taken = list
            list.removeAll(keepingCapacity: taken.count < 256)
            return taken
        }
    }
}
