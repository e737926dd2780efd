internal import BellhopTransport

/// Runs programs for handlers: each on a thread of its own, so that neither the loop nor a task's thread waits.
struct ProgramRunner: Sendable {
    private let queue: ProgramQueue

    init(atOnce: Int) { queue = ProgramQueue(atOnce: atOnce) }

    /// Lets so many programs run at once from now on; those that run already go on, and count.
    func allow(atOnce: Int) { queue.allow(atOnce: atOnce) }

    /// What is left to say when a program ended.
    struct Report: Equatable, Sendable {
        var ending: ProgramEnding
        /// Lines of output that were not handed on yet.
        var rest: [String] = []
        /// The last lines of the errors.
        var errors: [String] = []
        /// Whether lines were handed on before.
        var hasSpoken = false
        var isBeyondReach = false
    }

    /// Runs a program and returns when it ended with all that came of it; nil when there was no turn for it in time.
    ///
    /// Cancelling the task stops the program. `heard` gets lines while it runs, on another thread.
    func run(_ call: ProgramCall, heard: @escaping @Sendable ([String]) -> Void) async -> Report? {
        switch await queue.enter(within: call.timeLimit) {
        case .tooLate: return nil
        case .cancelled: return Report(ending: .cancelled)
        case .come: break
        }
        defer { queue.leave() }
        guard let run = ProgramRun(call) else {
            return Report(ending: .notStarted(.system(reason: "too many open files")))
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do {
                    try LoopThread.start("programs") {
                        var lines = ProgramLines(heard: heard)
                        let outcome = run.run(&lines)
                        let hasSpoken = lines.hasSpoken
                        let (rest, errors) = lines.finish()
                        continuation.resume(
                            returning: Report(
                                ending: outcome.ending, rest: rest, errors: errors, hasSpoken: hasSpoken,
                                isBeyondReach: outcome.isBeyondReach))
                    }
                } catch {
                    continuation.resume(returning: Report(ending: .notStarted(.system(reason: "\(error)"))))
                }
            }
        } onCancel: {
            run.cancel()
        }
    }
}
