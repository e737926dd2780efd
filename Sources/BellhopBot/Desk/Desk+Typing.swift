internal import BellhopXMPP

/// What a person sees of a handler that takes its time (XEP-0085).
enum Typing: Equatable {
    /// Nothing, because the person's client does not speak of such things, or because it was switched off.
    case silent
    /// Nothing yet. Next: `shown`.
    case due
    /// That the bot is at work. Next: `due`, with an answer.
    case shown
}

/// A run that will show that it is at work, and when.
struct TypingEntry {
    let run: RunID
    let at: Duration
}

/// Typing notifications: while a handler runs for longer than a moment, its person sees that it does.
///
/// Only a full address in a direct chat is told, and only where the message that asked carried a chat state itself (XEP-0085
/// section 5.1). They are no messages: nothing of them is in the ledger.
extension Desk {
    /// Puts a run that begins into the queue, where its person wants to see it.
    func showTypingLater(_ run: inout Run, _ id: RunID, at moment: Moment) {
        guard let delay = settings.typingDelay, run.job.message.type == .chat, run.job.sender.resource != nil,
            ChatState(in: run.job.message.stanza) != nil
        else { return }
        run.output.state = .active
        run.typing = .due
        typingQueue.append(TypingEntry(run: id, at: moment.now + delay))
    }

    /// An answer ends what the person saw; the handler goes on, so it may be seen again.
    func hasSpoken(_ run: inout Run, _ id: RunID, at moment: Moment) {
        guard run.typing == .shown, let delay = settings.typingDelay else { return }
        run.typing = .due
        typingQueue.append(TypingEntry(run: id, at: moment.now + delay))
    }

    /// A run ended, and no answer tells the person so.
    func stopTyping(_ run: Run) {
        guard run.typing == .shown else { return }
        chat.signal(.paused, to: run.job.sender, thread: run.job.message.thread)
    }

    func showTyping(at moment: Moment) {
        while let entry = typingQueue.first, entry.at <= moment.now {
            typingQueue.removeFirst()
            guard let run = runs[entry.run], run.typing == .due else { continue }
            runs[entry.run]?.typing = .shown
            chat.signal(.composing, to: run.job.sender, thread: run.job.message.thread)
        }
    }

    /// When the next run has to be shown; nil while none waits for it.
    var nextTyping: Duration? {
        guard !typingQueue.isEmpty else { return nil }
        let live = typingQueue.firstIndex { runs[$0.run]?.typing == .due } ?? typingQueue.endIndex
        typingQueue.removeFirst(live)
        return typingQueue.first?.at
    }
}
