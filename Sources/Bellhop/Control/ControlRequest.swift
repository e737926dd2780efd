package import BellhopBot
package import BellhopXMPP

/// What a command line asks of a bot, beside a running one or instead of it.
package enum ControlRequest: Equatable, Sendable {
    case send(to: JID, text: String)
    case listRoster
    case addContact(JID, name: String?, groups: [String])
    case removeContact(JID)
    case listRequests
    case answerRequests(Invocation.RequestChoice, accepting: Bool)
    case listOutbox(Invocation.OutboxFilter)
    /// Retries or drops messages; the filter is for `all`.
    case changeOutbox(OutboxVerb, OutboxChoice, Invocation.OutboxFilter)
    case status
    /// Examines the session that the bot has.
    case examine
    case pause
    case resume
    /// Forgets that the server once proved that it knows the password.
    case resetLogin
    /// Leaves nothing of a person, a bare address, in the journal.
    case forget(JID)
    /// Logs what the archive on the server has of a person, a bare address, for so long back.
    case fetch(JID, since: Duration)

    /// The longest text that is sent, in UTF-8 bytes: servers end the stream of who sends much larger stanzas.
    package static let textLimit = 65_536

    /// How long the bot may take: reading a journal of gigabytes takes longer than any server does.
    var patience: Duration {
        switch self {
        case .send, .listRoster, .addContact, .removeContact, .listRequests, .answerRequests, .listOutbox,
            .changeOutbox,
            .status, .pause, .resume, .resetLogin:
            .seconds(45)
        // Two questions, one after the other, each with its own time limit.
        case .examine: .seconds(75)
        case .forget, .fetch: .seconds(1_800)
        }
    }

    /// How many of all places those that take as long may have together, so that some are left for what is quick, `pause` above
    /// all.
    func share(of places: Int) -> Int {
        switch length {
        case .moment: places
        case .answer: max(1, places - places / 4)
        case .reading: max(1, places / 2)
        }
    }

    /// How long it keeps its place.
    var length: Length {
        switch self {
        case .listRoster, .listRequests, .listOutbox, .changeOutbox, .status, .pause, .resume, .resetLogin: .moment
        case .send, .addContact, .removeContact, .answerRequests: .answer
        case .examine, .forget, .fetch: .reading
        }
    }

    enum Length: Comparable {
        /// The bot itself has the answer.
        case moment
        /// Its server has.
        case answer
        /// A journal, an archive or a server is looked through.
        case reading
    }

    /// Whether it is done only for the account's own configuration: what looks, and `pause`, which is for emergencies, are done
    /// where a broken one names no account, too.
    var needsAccount: Bool {
        switch self {
        case .listRoster, .listRequests, .listOutbox, .status, .examine, .pause: false
        case .send, .addContact, .removeContact, .answerRequests, .changeOutbox, .resume, .resetLogin, .forget, .fetch:
            true
        }
    }

    /// Whether it leaves everything as it was.
    var onlyLooks: Bool { !needsAccount && self != .pause }

    /// Whether what it changes is promised only once it is in the file, because it shall outlive a restart.
    var mustLast: Bool {
        switch self {
        case .pause, .resume, .resetLogin, .changeOutbox: true
        case .send, .listRoster, .addContact, .removeContact, .listRequests, .answerRequests, .listOutbox, .status,
            .examine, .forget, .fetch:
            false
        }
    }
}

/// What became of it.
package enum ControlAnswer: Equatable, Sendable {
    /// The server has it.
    case done
    case roster([RosterRow])
    case requests([RequestRow])
    /// These were accepted or denied.
    case answeredRequests([RequestRow], accepted: Bool)
    /// With how many older ones there are besides.
    case outbox([OutboxRow], more: Int)
    /// These are sent again or given up, or not; the hold is what keeps the former from leaving now.
    case changedOutbox(OutboxOutcome, hold: OutboxHold?)
    case status(BotStatus)
    case examined([Finding])
    /// The bot is paused, now or from earlier on.
    case paused(since: Timestamp, by: String, isNew: Bool)
    /// The bot is not paused any more; so many commands that waited run, and so many were too old.
    case resumed(run: Int, late: Int)
    case notPaused
    /// PLAIN may be used again, which it was not after this mechanism; nil where there was nothing to forget.
    case resetLogin(after: String?)
    /// Nothing is left of a person: how many messages, and how many rows besides, there were.
    case forgotten(messages: Int, others: Int)
    /// So many messages of the archive were new to the log, and so many were in it; `isWhole` is false where there were more
    /// than are read at once.
    case fetched(new: Int, known: Int, isWhole: Bool)
    case failed(ControlFailure)
}

/// Why it was not done.
package enum ControlFailure: Error, Equatable, Sendable {
    /// The bot runs and has no connection, with the last reason where one is known.
    case notConnected(reason: String?)
    /// The message came back; the reason is the bounce's.
    case bounced(reason: String)
    /// The server said no.
    case refused(reason: String)
    /// The server did not answer in time, or the connection broke before it did.
    case noAnswer
    /// The server keeps no archive for the account.
    case noArchive
    /// The journal takes nothing more.
    case journalFull
    case noSuchContact(JID)
    /// No request waits that fits.
    case noSuchRequest
    /// Somebody was faster.
    case alreadyAnswered(number: Int, accepted: Bool, by: String)
    /// The bot has its hands full with other requests.
    case busy
    /// The journal cannot be read or written, in words.
    case journalFailed(reason: String)
    /// The rows are gone, but somebody who reads the journal keeps its write-ahead log.
    case logInUse
    /// The bot is that of another account than the one that the request names.
    case anotherAccount(own: JID, named: JID)
    /// The request names no account and changes something.
    case noAccount(own: JID)
    /// The request could not be read, with what is wrong with it.
    case notUnderstood(String)
}
