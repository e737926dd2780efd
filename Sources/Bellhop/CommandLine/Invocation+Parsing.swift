internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

extension Invocation {
    /// Reads the arguments, without the program's name; `run` where no command is named.
    package static func parse(_ arguments: [String]) -> Result<Invocation, UsageError> {
        do throws(UsageError) {
            let line = try CommandLineReader(arguments)
            var parser = Parser(line: line, words: line.words[...])
            return .success(try parser.invocation())
        } catch {
            return .failure(error)
        }
    }

    private struct Parser {
        let line: CommandLineReader
        var words: ArraySlice<String>

        mutating func invocation() throws(UsageError) -> Invocation {
            if line.wantsVersion { return Invocation(.version) }
            let command = try command()
            if line.wantsHelp { return Invocation(.help(words.isEmpty && line.words.isEmpty ? nil : command)) }
            try refuseForeignOptions(of: command)
            let verb = try verb(command)
            if let extra = words.first { throw .extraArgument(command, extra) }
            return Invocation(
                verb, configuration: try configuration(), verbosity: try verbosity(), logFormat: try logFormat())
        }

        private mutating func command() throws(UsageError) -> CommandName {
            guard let word = words.popFirst() else { return .run }
            guard let command = CommandName(rawValue: word) else { throw Self.unknown(word) }
            return command
        }

        private static func unknown(_ word: String) -> UsageError {
            word == "reload"
                ? .reloadByCommand
                : .unknownCommand(
                    word, suggestion: NearestWord.find(word, among: CommandName.allCases.map(\.rawValue)))
        }

        private func refuseForeignOptions(of command: CommandName) throws(UsageError) {
            let allowed = Set((CommandOption.common + CommandOption.own(of: command)).map(\.name))
            for option in line.options.keys.sorted() where !allowed.contains(option) {
                throw .foreignOption(option, command)
            }
        }

        private mutating func verb(_ command: CommandName) throws(UsageError) -> Verb {
            switch command {
            case .run: return .run
            case .chat: return .chat(as: try person())
            case .check: return .check(online: line.has("--online"))
            case .doctor: return .doctor(json: line.has("--json"))
            case .initialise: return .initialise
            case .register: return .register(answers: try answers(), runs: line.has("--run"))
            case .changePassword: return .changePassword(try passwordChoice())
            case .unregister: return .unregister(try confirmedAccount())
            case .send: return try send()
            case .roster: return .roster(try roster())
            case .requests: return .requests(try requests())
            case .outbox: return .outbox(try outbox())
            case .log: return try log()
            case .status: return .status(json: line.has("--json"))
            case .pause: return .pause
            case .resume: return .resume
            case .login: return try login()
            case .why: return try why()
            case .audit: return .audit(try audit())
            case .backup: return .backup(file: try file(.backup), force: line.has("--force"))
            case .restore: return .restore(file: try file(.restore))
            case .help:
                guard let topic = words.popFirst() else { return .help(nil) }
                guard let name = CommandName(rawValue: topic) else { throw Self.unknown(topic) }
                return .help(name)
            }
        }

        // MARK: - Commands

        private mutating func send() throws(UsageError) -> Verb {
            guard let address = words.popFirst() else { throw .missingArgument(.send, "an address") }
            let jid = try Self.address(address)
            guard !words.isEmpty else { return .send(to: jid, text: nil) }
            // A text without quotes is several words, which mean what they look like.
            let text = words.joined(separator: " ")
            words = []
            if text.isEmpty { throw .emptyText }
            return .send(to: jid, text: text)
        }

        private mutating func roster() throws(UsageError) -> RosterVerb {
            let subcommand = words.popFirst() ?? "list"
            switch subcommand {
            case "add":
                try refuse("--json", .roster)
                let jid = try contact(.roster)
                return .add(jid, name: try line.value("--name"), groups: line.options["--group"] ?? [])
            case "list", "remove":
                for option in ["--name", "--group"] { try refuse(option, .roster) }
                if subcommand == "list" { return .list(json: line.has("--json")) }
                try refuse("--json", .roster)
                return .remove(try contact(.roster))
            default:
                throw .unknownSubcommand(
                    .roster, subcommand, suggestion: NearestWord.find(subcommand, among: ["list", "add", "remove"]))
            }
        }

        private mutating func requests() throws(UsageError) -> RequestsVerb {
            if let file = try line.value("--dry-run") {
                try refuse("--json", .requests)
                return .dryRun(file: file)
            }
            let subcommand = words.popFirst() ?? "list"
            switch subcommand {
            case "list": return .list(json: line.has("--json"))
            case "accept", "deny":
                try refuse("--json", .requests)
                let choice = try choice()
                return subcommand == "accept" ? .accept(choice) : .deny(choice)
            default:
                throw .unknownSubcommand(
                    .requests, subcommand, suggestion: NearestWord.find(subcommand, among: ["list", "accept", "deny"]))
            }
        }

        /// A number, an address, `@domain`, `all`, or `all @domain`.
        private mutating func choice() throws(UsageError) -> RequestChoice {
            guard var word = words.popFirst() else {
                throw .missingArgument(.requests, "the number of a request, an address, @domain, or all")
            }
            if word == "all" {
                guard let domain = words.popFirst() else { return .all }
                guard domain.hasPrefix("@") else { throw .notARequest(domain) }
                word = domain
            }
            if word.hasPrefix("@") {
                guard let domain = try? JID(String(word.dropFirst())), domain.local == nil, domain.isBare else {
                    throw .notARequest(word)
                }
                return .domain(domain)
            }
            if let number = Int(word), number > 0 { return .number(number) }
            guard let person = try? JID(word), person.local != nil else { throw .notARequest(word) }
            return .person(person.bare)
        }

        private mutating func outbox() throws(UsageError) -> OutboxAction {
            let subcommand = words.popFirst() ?? "list"
            if subcommand == "list" {
                var filter = try outboxFilter()
                filter.failedOnly = line.has("--failed")
                return .list(filter, json: line.has("--json"))
            }
            guard let verb = OutboxVerb(rawValue: subcommand) else {
                throw .unknownSubcommand(
                    .outbox, subcommand, suggestion: NearestWord.find(subcommand, among: ["list", "retry", "drop"]))
            }
            for option in ["--failed", "--json"] { try refuse(option, .outbox) }
            guard let word = words.popFirst() else {
                throw .missingArgument(.outbox, "the number of a message, or all")
            }
            if word == "all" { return .change(verb, .all, try outboxFilter()) }
            for option in ["--to", "--since"] { try refuse(option, .outbox) }
            guard let row = RowID(word), row > 0 else { throw .notAMessage(word) }
            return .change(verb, .number(row), OutboxFilter())
        }

        private func outboxFilter() throws(UsageError) -> OutboxFilter {
            var filter = OutboxFilter()
            filter.to = try line.value("--to").map { text throws(UsageError) in try Self.address(text).bare }
            filter.since = try since() ?? filter.since
            return filter
        }

        private mutating func log() throws(UsageError) -> Verb {
            guard let subcommand = words.popFirst() else {
                throw .missingArgument(.log, "list, or show, fetch or forget and an address")
            }
            switch subcommand {
            case "list":
                for option in ["--last", "--since", "--follow", "--utc"] { try refuse(option, .log) }
                return .log(.list(json: line.has("--json")))
            case "show":
                guard let address = words.popFirst() else { throw .missingArgument(.log, "an address behind show") }
                var selection = LogSelection()
                selection.last = try last() ?? selection.last
                selection.since = try since()
                selection.follow = line.has("--follow")
                selection.utc = line.has("--utc")
                selection.json = line.has("--json")
                return .log(.show(try Self.address(address).bare, selection))
            case "fetch":
                for option in ["--last", "--follow", "--utc"] { try refuse(option, .log) }
                guard let address = words.popFirst() else { throw .missingArgument(.log, "an address behind fetch") }
                let jid = try Self.address(address).bare
                return .fetch(jid, since: try since() ?? Self.fetchedAge, json: line.has("--json"))
            case "forget":
                for option in ["--last", "--since", "--follow", "--utc", "--json"] { try refuse(option, .log) }
                guard let address = words.popFirst() else { throw .missingArgument(.log, "an address behind forget") }
                return .forget(try Self.address(address).bare)
            default:
                throw .unknownSubcommand(
                    .log, subcommand,
                    suggestion: NearestWord.find(subcommand, among: ["list", "show", "fetch", "forget"]))
            }
        }

        /// How far back the archive is read where nobody says.
        private static let fetchedAge: Duration = .seconds(7 * 86_400)

        private mutating func login() throws(UsageError) -> Verb {
            guard let subcommand = words.popFirst() else { throw .missingArgument(.login, "reset") }
            guard subcommand == "reset" else {
                throw .unknownSubcommand(
                    .login, subcommand, suggestion: NearestWord.find(subcommand, among: ["reset"]))
            }
            return .resetLogin
        }

        private mutating func why() throws(UsageError) -> Verb {
            let jid = try contact(.why)
            guard let command = words.popFirst() else { throw .missingArgument(.why, "the name of a command") }
            return .why(jid, command: command)
        }

        private func audit() throws(UsageError) -> AuditSelection {
            var selection = AuditSelection()
            selection.last = try last() ?? selection.last
            selection.since = try since()
            selection.utc = line.has("--utc")
            selection.json = line.has("--json")
            return selection
        }

        private mutating func file(_ command: CommandName) throws(UsageError) -> String {
            guard let file = words.popFirst(), !file.isEmpty else { throw .missingArgument(command, "a file") }
            return file
        }

        // MARK: - Accounts

        private func answers() throws(UsageError) -> [String: [String]] {
            var answers: [String: [String]] = [:]
            for text in line.options["--field"] ?? [] {
                guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                    // What was typed may be a value, and that a secret.
                    throw .notAField(text.contains("=") ? "=" : text)
                }
                let name = String(text[..<sign])
                guard name != "username", name != "password" else { throw .fieldOfConfiguration(name) }
                answers[name, default: []].append(String(text[text.index(after: sign)...]))
            }
            return answers
        }

        private func passwordChoice() throws(UsageError) -> PasswordChoice {
            // Whatever stands there is meant as one, and must not be repeated.
            guard words.isEmpty else { throw .passwordOption }
            guard let file = try line.value("--from") else { return line.has("--generate") ? .made : .asked }
            if line.has("--generate") { throw .eitherOr("--generate", "--from") }
            if file.isEmpty { throw .missingValue(option: "--from", wanted: "FILE") }
            return .read(from: file)
        }

        private func confirmedAccount() throws(UsageError) -> JID? {
            guard let text = try line.value("--yes") else { return nil }
            let jid = try Self.address(text)
            guard jid.local != nil else { throw .addressWithoutLocalPart(text) }
            guard jid.resource == nil else { throw .addressWithResource(text) }
            return jid
        }

        // MARK: - Values

        private func last() throws(UsageError) -> Int? {
            guard let text = try line.value("--last") else { return nil }
            guard let number = Int(text), (1...1_000_000).contains(number) else {
                throw .badValue(option: "--last", value: text, wanted: "a number from 1 to 1000000")
            }
            return number
        }

        private func since() throws(UsageError) -> Duration? {
            guard let text = try line.value("--since") else { return nil }
            guard let duration = DurationText.read(text) else {
                throw .badValue(option: "--since", value: text, wanted: "a time like 30s, 2h or 2d")
            }
            return duration
        }

        private func refuse(_ option: String, _ command: CommandName) throws(UsageError) {
            if line.has(option) { throw .foreignOption(option, command) }
        }

        private mutating func contact(_ command: CommandName) throws(UsageError) -> JID {
            guard let text = words.popFirst() else { throw .missingArgument(command, "an address") }
            let jid = try Self.address(text)
            guard jid.local != nil else { throw .addressWithoutLocalPart(text) }
            return jid.bare
        }

        /// Who is played in the terminal.
        private func person() throws(UsageError) -> JID? {
            guard let text = try line.value("--as") else { return nil }
            let jid = try Self.address(text)
            guard jid.local != nil else { throw .addressWithoutLocalPart(text) }
            return jid
        }

        private static func address(_ text: String) throws(UsageError) -> JID {
            do throws(JIDError) {
                return try JID(text)
            } catch {
                throw .notAnAddress(text, error)
            }
        }

        private func configuration() throws(UsageError) -> String? {
            guard let file = try line.value("--config") else { return nil }
            if file.isEmpty { throw .missingValue(option: "--config", wanted: "FILE") }
            return file
        }

        /// The loudest of what was given, since who wants to see more is looking for something.
        private func verbosity() throws(UsageError) -> Verbosity? {
            if line.has("-vv") { return .trace }
            if line.has("-v") { return .verbose }
            return line.has("--quiet") ? .quiet : nil
        }

        private func logFormat() throws(UsageError) -> LogFormat? {
            guard let text = try line.value("--log-format") else { return nil }
            guard let format = LogFormat(rawValue: text) else {
                throw .badValue(option: "--log-format", value: text, wanted: "text or json")
            }
            return format
        }
    }
}
