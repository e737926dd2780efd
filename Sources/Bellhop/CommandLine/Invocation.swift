package import BellhopBot
package import BellhopDiagnostics
package import BellhopXMPP

/// What a command line asks for.
package struct Invocation: Equatable, Sendable {
    package var verb: Verb
    /// `--config`; nil looks for the standard files.
    package var configuration: String?
    /// Nil leaves it to the configuration.
    package var verbosity: Verbosity?
    /// `--log-format`; nil leaves it to the configuration.
    package var logFormat: LogFormat?

    package init(
        _ verb: Verb, configuration: String? = nil, verbosity: Verbosity? = nil, logFormat: LogFormat? = nil
    ) {
        self.verb = verb
        self.configuration = configuration
        self.verbosity = verbosity
        self.logFormat = logFormat
    }

    package enum Verb: Equatable, Sendable {
        case run
        /// As which person, where not as the usual one.
        case chat(as: JID?)
        case check(online: Bool)
        case doctor(json: Bool)
        case initialise
        /// With answers to further fields of the server's form; and whether the bot goes on to run.
        case register(answers: [String: [String]], runs: Bool)
        case changePassword(PasswordChoice)
        /// Removes the account; nil asks whether it is meant.
        case unregister(JID?)
        /// A text to say; nil reads it from standard input.
        case send(to: JID, text: String?)
        case roster(RosterVerb)
        case requests(RequestsVerb)
        case outbox(OutboxAction)
        case log(LogVerb)
        case status(json: Bool)
        case pause
        case resume
        /// `login reset`.
        case resetLogin
        /// Whether this person may run this command.
        case why(JID, command: String)
        case audit(AuditSelection)
        /// `log fetch`.
        case fetch(JID, since: Duration, json: Bool)
        /// `log forget`.
        case forget(JID)
        /// Copies the journal into that file, over one that is there when forced.
        case backup(file: String, force: Bool)
        /// Puts that file in the journal's place.
        case restore(file: String)
        case help(CommandName?)
        case version
    }

    /// Where a new password comes from.
    package enum PasswordChoice: Equatable, Sendable {
        case asked
        case made
        /// Its file; `-` is standard input.
        case read(from: String)
    }

    package enum RosterVerb: Equatable, Sendable {
        case list(json: Bool)
        case add(JID, name: String?, groups: [String])
        case remove(JID)
    }

    package enum RequestsVerb: Equatable, Sendable {
        case list(json: Bool)
        case accept(RequestChoice)
        case deny(RequestChoice)
        /// What the rules would decide for each address of the file; `-` is standard input.
        case dryRun(file: String)
    }

    /// Which requests are meant.
    package enum RequestChoice: Equatable, Sendable {
        case number(Int)
        case person(JID)
        case domain(JID)
        case all
    }

    package enum OutboxAction: Equatable, Sendable {
        case list(OutboxFilter, json: Bool)
        /// The filter is for `all`.
        case change(OutboxVerb, OutboxChoice, OutboxFilter)
    }

    /// Which messages of ours are listed or meant.
    package struct OutboxFilter: Equatable, Sendable {
        /// To this bare address only.
        package var to: JID?
        /// What came back earlier is left out.
        package var since = Outbox.period
        /// Whether what waits is left out.
        package var failedOnly = false

        package init() {}
    }

    /// Which entries of the audit are shown, and how.
    package struct AuditSelection: Equatable, Sendable {
        /// The newest so many.
        package var last = 50
        /// Not older than that.
        package var since: Duration?
        package var utc = false
        package var json = false

        package init() {}
    }

    package enum LogVerb: Equatable, Sendable {
        case list(json: Bool)
        case show(JID, LogSelection)
    }

    /// Which messages of a conversation are shown, and how.
    package struct LogSelection: Equatable, Sendable {
        /// The newest so many.
        package var last = 50
        /// Not older than that.
        package var since: Duration?
        package var follow = false
        package var utc = false
        package var json = false

        package init() {}
    }
}

/// The names of the commands, in the order of the help.
package enum CommandName: String, Sendable, CaseIterable {
    case run, chat, check, doctor
    case initialise = "init"
    case register
    case changePassword = "passwd"
    case unregister, status, pause, resume, send, roster, requests, outbox, log, login, why, audit, backup, restore
    case help
}
