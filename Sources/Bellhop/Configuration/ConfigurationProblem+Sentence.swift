internal import BellhopDiagnostics
internal import BellhopXMPP

/// Every sentence about a configuration that an operator can read.
extension ConfigurationProblem {
    /// What is wrong and what to do, in one sentence that ends with a full stop and stands behind the key's path.
    package var sentence: String {
        switch kind {
        // The file
        case .noConfiguration(let searched):
            "There is no configuration: looked for \(searched.joined(separator: " and ")), and BELLHOP_JID is not set. "
                + "Write one with init, name one with --config, or set BELLHOP_JID, BELLHOP_PASSWORD and BELLHOP_ADMINS."
        case .unreadableFile(let reason):
            "The configuration can't be read: \(reason)." + (variable.map { " It is named by \($0)." } ?? "")
        case .syntax(let fault): fault.sentence

        // Keys
        case .unknownKey(let suggestion?, _): "There is no such key; did you mean \"\(suggestion)\"?"
        case .unknownKey(nil, let allowed): "There is no such key; known here: \(allowed.joined(separator: ", "))."
        case .duplicateKey(let first):
            "The key stands here a second time; the first is in line \(first.line), column \(first.column)."
        case .missing: missingSentence

        // Commands of the configuration
        case .commandName(let problem): problem.description
        case .duplicateCommand(let first):
            "Number \(first) of the list (counted from 0) has this name already; upper and lower case are the same."
        case .commandOfCode: "The bot has a command of this name already; choose another."
        case .programForWhom:
            "Who may run this command? Add \"allow\": [\"ops\"] with a role of \"roles\", or \"open\": true for everybody."
        case .placeholderForProgram(let label):
            "The program itself can't be \"{\(label)}\", since a person would choose what is run; write its name."
        case .unknownPlaceholder(let label, let suggestion?):
            "No argument is called \"\(label)\"; did you mean \"{\(suggestion)}\"?"
        case .unknownPlaceholder(let label, nil):
            "No argument is called \"\(label)\"; declare it in \"arguments\", or write \"{{\(label)}}\" for the braces themselves."
        case .argumentNotUsed(let label):
            "The argument is asked for and never used; write \"{\(label)}\" into \"run\", or set \"pass\"."
        case .malformedArgumentName:
            "This is no name for an argument; write letters, digits, dashes and underscores, and a letter first."
        case .argumentMistake(let mistake): "The argument \(mistake.clause)."
        case .choicesOfNoChoice: "Only an argument of the kind \"choice\" has choices; set \"kind\", or leave them out."
        case .optionalWithDefault: "An argument with a default may be left out anyway; remove one of them."
        case .defaultBesidePattern: "The default does not fit \"pattern\"."
        case .notAnExpression: "This is no regular expression (POSIX extended), like \"[a-z0-9.-]+\"."

        // Roles
        case .malformedRole:
            "This is no name for a role; write letters, digits, dots, dashes and underscores, like \"night-shift\"."
        case .reservedRole: "This role has a key of its own; write its members to \"admins\"."
        case .emptyRole: "Nobody has this role; name its members or leave the role out."
        case .emptyGroup: "The name of a roster group is missing behind \"group:\"."
        case .unreachableMember(let member, let first, let other):
            "\(Self.shown(member)) never decides, since number \(first) (\(Self.shown(other)), counted from 0) lets in "
                + "everybody whom it would; remove one of them."
        case .duplicateRole(let name, let first):
            "\(Self.shown(name)) stands in the list already, as number \(first) (counted from 0)."
        case .allowsNobody: "The list is empty; write [\"admins\"] if only admins may run it."
        case .neitherOpenNorAllowed: "Who may run it? Write {\"allow\": [\"ops\"]} or {\"open\": true}."
        case .closedForWhom: "For whom is it then? Write \"allow\" with a list of roles in place of \"open\"."
        case .allowBesideOpen: "With \"open\" this decides nothing; remove one of them."
        case .unknownRole(let name, let suggestion?, _):
            "There is no role \(Self.shown(name)); did you mean \"\(suggestion)\"?"
        case .unknownRole(let name, nil, let known):
            "There is no role \(Self.shown(name)); known here: \(known.joined(separator: ", "))."
        case .unknownCommand(let suggestion?, _):
            "The bot has no such command; did you mean \"\(suggestion)\"?"
        case .unknownCommand(nil, let known):
            "The bot has no such command; known here: \(known.joined(separator: ", "))."
        case .roleOfCodeMissing(let role, let command, let suggestion):
            "It is missing: the bot's code allows \(command) to this role. Add \"\(role)\": [\"you@example.org\"] to \"roles\""
                + (suggestion.map { ", or is it the role \"\($0)\"?" } ?? ".")

        // Between keys
        case .unencryptedRemoteServer:
            "\"off\" is allowed only where account.server is this machine (localhost, 127.0.0.1 or ::1); leave the key out."
        case .unencryptedDirectTLS:
            "\"off\" is for a stream without TLS, and account.server asks for direct TLS; leave one of them out."
        case .noJournalDirectory:
            "There is no place for the journal, since neither HOME nor XDG_STATE_HOME nor STATE_DIRECTORY is set; set this key."

        // Values
        case .wrongType(let wanted, let found): "This must be \(wanted), not \(found)."
        case .emptyText: "The text is empty; leave the key out or write something."
        case .tooLong(let limit): "The text is longer than \(limit) bytes."
        case .controlCharacter: "The text holds a control character."
        case .notAllowed(let found, let allowed):
            "\(Self.shown(found)) is not allowed; this must be "
                + "\(allowed.count > 1 ? "one of " : "")\(allowed.map { "\"\($0)\"" }.joined(separator: ", "))."
        case .malformedDuration:
            "This is no duration; write a whole number and s, m, h or d, like \"30s\", \"2m\", \"1h\" or \"2d\"."
        case .durationOutOfRange(let range):
            "This must be at least \"\(DurationText.show(range.lowerBound))\" and at most "
                + "\"\(DurationText.show(range.upperBound))\"."
        case .noInteger: "This must be a whole number."
        case .outOfRange(let range): "This must be at least \(range.lowerBound) and at most \(range.upperBound)."
        case .prefixHasSpace: "The prefix may hold neither spaces nor control characters."
        case .unfit(let wanted, let found): "\(Self.shown(found)) does not fit; this must be \(wanted)."
        case .noSettings: "This bot has no settings of its own; leave the key out."
        case .malformedLanguage: "This is no language tag; write one like \"en\" or \"pt-BR\"."

        // Addresses
        case .malformedServer:
            "This is no server; write a host name or an IP address, with a port behind a colon if need be, like "
                + "\"xmpp.example.org:5222\" or \"[2001:db8::1]:5222\"."
        case .serverWithScheme(let server):
            "Leave xmpp:// out: \(Self.shown(server)), or \(Self.shown("xmpps://" + server)) where TLS comes first."
        case .malformedNameServer:
            "This is no name server; write its IP address, with a port behind a colon if need be, like \"192.0.2.53\" or "
                + "\"[2001:db8::53]:5353\"."
        case .malformedPort: "The port must be a number from 1 to 65535."
        case .notAnAddress(let text, let error): "\(Self.shown(text)) is no address: \(error)."
        case .notAPattern(let text, let error): "\(Self.shown(text)) is no pattern for addresses: \(error)."
        case .malformedResource(let error): "This is no resource: \(error)."
        case .addressHasResource(let text):
            "\(Self.shown(text)) has a resource; write the address without the slash and what follows it"
                + (path == "account.jid" ? ", and set account.resource if need be." : ".")
        case .addressWithoutLocalPart(let text):
            "\(Self.shown(text)) has no @; write a whole address, like \"alice@example.org\"."
        case .duplicateAddress(let text, let first):
            "\(Self.shown(text)) stands in the list already, as number \(first) (counted from 0)."

        // Secrets and files
        case .severalSecretSources: "There is more than one of env, file, command and credential; keep one."
        case .emptySecret: "The password is empty."
        case .plainSecretReadable(let file, let mode):
            "The password stands in a file that others can read (mode 0\(String(mode, radix: 8))); "
                + "run: chmod 600 \(ShellWord.quoted(file))"
        case .malformedVariableName:
            "This is no name of an environment variable; write letters, digits and underscores, like \"BELLHOP_PASSWORD\"."
        case .variableNotSet(let name):
            "The environment variable \(name) is not set; set it where the bot is started, or take the value from a file."
        case .variableEmpty(let name):
            "The environment variable \(name) is empty; set it where the bot is started, or take the value from a file."
        case .secretFileUnreadable(let file, let reason): "The file \(Self.shown(file)) can't be read: \(reason)."
        case .secretFileEmpty(let file): "The file \(Self.shown(file)) is empty."
        case .passwordNotMade(let found, let bot):
            ConfigurationProblem(found, path: path).sentence + " Write the password into it, or "
                + (found.isEmptyFile ? "remove it and " : "") + "make the account with \(bot) register."
        case .secretNotUTF8: "What was read is no UTF-8 text."
        case .secretCommandFailed(let program, let failure): "The program \(Self.shown(program)) \(failure.phrase)."
        case .noCredentialsDirectory(let name):
            "The credential \"\(name)\" is given by systemd only: CREDENTIALS_DIRECTORY is not set; "
                + "add LoadCredential= to the unit."
        case .malformedCredentialName: "This is no name of a credential; write a file name without a folder."
        case .noAuthorities(let file):
            "The file \(Self.shown(file)) holds no certificate; it must be PEM, with a BEGIN CERTIFICATE line."
        case .malformedPin:
            "This is no pin; write \"sha256:\" and 44 characters of Base64, as the bot prints it when it refuses a certificate."
        case .noKey(let file):
            "The file \(Self.shown(file)) holds no key; it must be PEM, with a BEGIN PRIVATE KEY line."
        case .keyEncrypted(let file):
            "The key in \(Self.shown(file)) is encrypted, and nobody is there to type its password; run: openssl pkey -in "
                + "\(ShellWord.quoted(file)) -out NEW"
        case .keyOfAnother(let file, let certificate):
            "The key in \(Self.shown(file)) is not that of the certificate in \(Self.shown(certificate))."
        case .authoritiesUnreadable(let file, let reason): "The file \(Self.shown(file)) can't be read: \(reason)."
        }
    }

    private var missingSentence: String {
        if let variable { return "It is missing; set \(variable)." }
        switch path {
        case "account.jid": return "It is missing; add \"jid\": \"bot@example.org\" to \"account\"."
        case "account.password":
            return
                "It is missing; add \"password\": {\"env\": \"BELLHOP_PASSWORD\"} to \"account\", or file, command or "
                + "credential in place of env."
        default:
            let key = path.split(separator: ".").last ?? ""
            let example = ConfigurationKeys.documentation.first { $0.path == ConfigurationKeys.pattern(of: path) }?
                .example
            return "It is missing" + (example.map { "; add \"\(key)\": \($0)" } ?? "") + "."
        }
    }

    /// A value in quotes, on one line and not too long.
    private static func shown(_ text: String) -> String {
        let line = VisibleText.oneLine(text)
        return "\"\(line.count > 80 ? line.prefix(80) + "…" : line[...])\""
    }
}

extension ConfigurationProblem.CommandFailure {
    /// Continues "The program x ".
    fileprivate var phrase: String {
        switch self {
        case .notStarted(let reason): "can't be started: \(reason)"
        case .exit(let code): "ended with exit code \(code)"
        case .signal(let number): "was ended by signal \(number)"
        case .timedOut(let limit): "was stopped, since it took longer than \(DurationText.show(limit))"
        case .tooMuchOutput(let limit): "was stopped, since it printed more than \(limit) bytes"
        case .noOutput: "printed nothing"
        }
    }
}

extension JSONFault.Kind {
    /// What is wrong and what to do; nothing of the text is quoted, since it may be a secret.
    package var sentence: String {
        switch self {
        case .empty: "The file is empty."
        case .tooLarge(let limit): "The file is larger than \(limit) bytes."
        case .tooDeep(let limit): "There are more than \(limit) lists and objects inside each other."
        case .notUTF8: "This byte is no UTF-8; save the file as UTF-8."
        case .otherEncoding: "The file is UTF-16; save it as UTF-8."
        case .expectedValue: "A value is missing here: text in double quotes, a number, true, false, null, [ or {."
        case .unquotedText: "Text must stand in double quotes."
        case .singleQuotes: "Text must stand in double quotes, not in single ones."
        case .expectedKey: "A key in double quotes, or }, is missing here."
        case .expectedColon: "A colon is missing here, between a key and its value."
        case .expectedCommaOrEnd(.object): "A comma or } is missing before this."
        case .expectedCommaOrEnd(.list): "A comma or ] is missing before this."
        case .unclosed(.object, let opened):
            "The text ends before the { in line \(opened.line), column \(opened.column) is closed."
        case .unclosed(.list, let opened):
            "The text ends before the [ in line \(opened.line), column \(opened.column) is closed."
        case .unclosedString: "The text that starts here is never closed with a double quote."
        case .lineBreakInString:
            "The text that starts here is not closed in its line; close it with a double quote, or write a line break as \\n."
        case .controlCharacterInString: "A control character must be written as an escape, like \\t or \\u0007."
        case .unknownEscape: "There is no such escape; a backslash itself is written as \\\\."
        case .incompleteUnicodeEscape: "Behind \\u four hexadecimal digits must follow."
        case .loneSurrogate: "This is half of a pair of \\u escapes; write both, or the character itself."
        case .malformedNumber: "This is no number; a number with a unit must stand in double quotes, like \"30s\"."
        case .unclosedComment: "The comment that starts here is never closed with */."
        case .textAfterEnd: "The configuration is complete before this; nothing may follow."
        }
    }
}

extension ConfigurationProblem {
    /// Whether `register` or a person has to make the password first.
    var isPasswordNotMade: Bool {
        if case .passwordNotMade = kind { return true }
        return false
    }
}

extension ConfigurationProblem.Kind {
    fileprivate var isEmptyFile: Bool {
        if case .secretFileEmpty = self { return true }
        return false
    }
}
