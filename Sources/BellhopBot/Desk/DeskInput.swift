internal import BellhopXMPP

/// What reaches the desk from other threads: handlers that answer or end, and what their code asks of the bot.
package enum DeskInput: Sendable {
    /// A handler sent an answer before its end.
    case replied(RunID, Reply)
    case finished(RunID, RunOutcome)
    /// The event handler with this number ended, with the error that it threw, described.
    case finishedEvent(UInt64, failure: String?)
    case asked(BotRequest)
    /// The house has an answer to what an admin asked.
    case answered(LateAnswer)
}

/// An answer that came after the turn in which the question did.
package struct LateAnswer: Sendable {
    let job: Job
    let text: String
}

/// How a handler ended.
package enum RunOutcome: Sendable, Equatable {
    case answered(String?)
    case failed(RunFailure)
}

/// Why a handler did not answer, as data.
package enum RunFailure: Sendable, Equatable {
    /// The text did not fit the arguments.
    case arguments(ArgumentProblem)
    /// The error's own sentence is for the person.
    case shown(String)
    /// Everything else: its description is for the log only.
    case hidden(String)

    init(_ error: any Error) {
        switch error {
        case let problem as ArgumentProblem: self = .arguments(problem)
        case let error as any UserFacingError: self = .shown(error.sentence)
        default: self = .hidden(String(reflecting: error))
        }
    }
}

/// What an author's code asks of the bot through its `BotHandle`.
package struct BotRequest: Sendable {
    enum Kind: Sendable {
        case send(Sent)
        case presence(Show, String?)
        case contacts(Settlement<Result<[Contact], BotError>>)
        case add(JID, name: String?, groups: [String])
        case remove(JID)
    }

    let kind: Kind

    static func send(_ sent: Sent) -> BotRequest { BotRequest(kind: .send(sent)) }
    static func presence(_ show: Show, _ status: String?) -> BotRequest {
        BotRequest(kind: .presence(show, status))
    }
    static func contacts(_ answer: Settlement<Result<[Contact], BotError>>) -> BotRequest {
        BotRequest(kind: .contacts(answer))
    }
    static func add(_ jid: JID, name: String?, groups: [String]) -> BotRequest {
        BotRequest(kind: .add(jid, name: name, groups: groups))
    }
    static func remove(_ jid: JID) -> BotRequest { BotRequest(kind: .remove(jid)) }
}
