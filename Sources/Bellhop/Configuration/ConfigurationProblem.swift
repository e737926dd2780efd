package import BellhopBot
package import BellhopXMPP

/// One thing that is wrong with a configuration; it never holds a secret's value.
package struct ConfigurationProblem: Error, Equatable, Sendable {
    /// Where in the configuration, like `subscriptions.rules[2].match`; empty for the whole.
    package var path: String
    /// Where in the file; nil when the value came from elsewhere.
    package var position: TextPosition?
    /// The environment variable that the value came from, or should have come from.
    package var variable: String?
    package var kind: Kind

    package init(_ kind: Kind, path: String, position: TextPosition? = nil, variable: String? = nil) {
        self.kind = kind
        self.path = path
        self.position = position
        self.variable = variable
    }

    package enum Kind: Equatable, Sendable {
        // The file
        case noConfiguration(searched: [String])
        case unreadableFile(reason: String)
        case syntax(JSONFault.Kind)

        // Keys
        case unknownKey(suggestion: String?, allowed: [String])
        case duplicateKey(first: TextPosition)
        case missing

        // Values
        case wrongType(wanted: String, found: String)
        case emptyText
        case tooLong(limit: Int)
        case controlCharacter
        case notAllowed(found: String, allowed: [String])
        case malformedDuration
        case durationOutOfRange(ClosedRange<Duration>)
        case noInteger
        case outOfRange(ClosedRange<Int>)
        case malformedServer
        /// What stands behind `xmpp://`.
        case serverWithScheme(String)
        case malformedNameServer
        case malformedPort
        case malformedLanguage
        case notAnAddress(String, JIDError)
        case notAPattern(String, JIDError)
        case malformedResource(JIDError)
        case addressHasResource(String)
        case addressWithoutLocalPart(String)
        case duplicateAddress(String, first: Int)
        case prefixHasSpace
        case unfit(wanted: String, found: String)
        case noSettings

        // Roles
        case malformedRole
        case reservedRole
        case emptyRole
        case emptyGroup
        /// The entry, and an earlier one that lets in everybody whom it would.
        case unreachableMember(String, first: Int, String)
        case duplicateRole(String, first: Int)
        case allowsNobody
        case neitherOpenNorAllowed
        case closedForWhom
        case allowBesideOpen
        case unknownRole(String, suggestion: String?, known: [String])
        case unknownCommand(suggestion: String?, known: [String])
        case roleOfCodeMissing(String, command: String, suggestion: String?)

        // Commands of the configuration
        /// What is wrong with the name, as the bot's own declaration would be told.
        case commandName(BotProblem)
        case duplicateCommand(first: Int)
        case commandOfCode
        case programForWhom
        case placeholderForProgram(String)
        case unknownPlaceholder(String, suggestion: String?)
        case argumentNotUsed(String)
        case malformedArgumentName
        case argumentMistake(ArgumentMistake)
        case choicesOfNoChoice
        case optionalWithDefault
        case defaultBesidePattern
        case notAnExpression

        // Between keys
        case unencryptedRemoteServer
        case unencryptedDirectTLS
        case noJournalDirectory

        // Secrets
        case severalSecretSources
        case emptySecret
        case plainSecretReadable(file: String, mode: UInt32)
        case malformedVariableName
        case variableNotSet(String)
        case variableEmpty(String)
        case secretFileUnreadable(String, reason: String)
        case secretFileEmpty(String)
        /// The same of the file that `init` has named, which is not there or is empty.
        indirect case passwordNotMade(Kind, bot: String)
        case secretNotUTF8
        case secretCommandFailed(program: String, CommandFailure)
        case noCredentialsDirectory(String)
        case malformedCredentialName
        case authoritiesUnreadable(String, reason: String)
        /// The file holds no certificate.
        case noAuthorities(String)
        case malformedPin
        /// The file holds no private key.
        case noKey(String)
        case keyEncrypted(String)
        case keyOfAnother(String, certificate: String)
    }

    package enum CommandFailure: Error, Equatable, Sendable {
        case notStarted(reason: String)
        case exit(Int32)
        case signal(Int32)
        case timedOut(Duration)
        case tooMuchOutput(limit: Int)
        case noOutput
    }
}
