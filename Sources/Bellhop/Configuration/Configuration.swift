package import BellhopBot
package import BellhopCrypto
package import BellhopDiagnostics
package import BellhopXMPP

/// Everything that an operator can set, checked and complete; nothing in here is text that still has to be read.
package struct Configuration: Equatable, Sendable {
    package var account: Account
    /// Bare addresses, each once.
    package var admins: [JID] = []
    /// Who has which role, in the order of the file.
    package var roles: [RoleDefinition] = []
    /// How the bot shows itself after login.
    package var presence = Availability()
    package var subscriptions = Subscriptions()
    package var commands = Commands()
    package var journal = Journal()
    package var archive = Archive()
    package var diagnostics = Diagnostics()
    /// The bot's own settings; nil for a bot that has none.
    package var custom: SettingsReading?

    /// The defaults, for an account; the journal has no path yet.
    package init(jid: JID, password: Secret) {
        account = Account(jid: jid, password: password)
    }
}

extension Configuration {
    /// Who the bot is and how it reaches its server.
    package struct Account: Equatable, Sendable {
        /// Bare, with a local part. Its domain is the stream's `to` and the certificate's name, whatever the server is.
        package var jid: JID
        package var password: Secret
        /// The file that the password was read from, or is to be made in; nil where it is elsewhere.
        package var passwordFile: String?
        /// Nil where the domain's SRV records, or else the domain on port 5222, lead to the server.
        package var server: Server?
        /// Who is asked for names; nil for whom the system asks.
        package var nameServer: NameServer?
        package var connection = Connection()
    }

    /// The settings of a connection that have defaults.
    package struct Connection: Equatable, Sendable {
        package var resource = "bellhop"
        /// The limit of a whole login, from the first packet to the bound resource.
        package var timeout: Duration = .seconds(30)
        /// The file of certificate authorities to trust in place of the system's; nil for the system's.
        package var authorities: String?
        /// The keys that the server's certificate may have; empty for any that is proven otherwise.
        package var pins: [CertificatePin] = []
        package var certificate = OwnCertificate()
        package var encryption = Encryption.required
        /// Whether the SASL mechanism PLAIN may be used; only ever inside TLS or on loopback.
        package var allowsPlain = false
        /// Whether jabber:iq:auth may be used where a server has nothing else.
        package var allowsLegacyLogin = false
        package var sasl2 = SASL2.auto
        package var channelBinding = ChannelBinding.auto
        package var ping = Ping()
        /// Over how long all clients of a server that went away come back, so that they do not all come at once.
        package var reconnectSpread: Duration = .seconds(40)
        package var sending = Sending()

        package init() {}
    }

    /// By what the bot proves itself to a server that asks for a certificate.
    package struct OwnCertificate: Equatable, Sendable {
        /// Nil for none.
        package var file: String?
        /// Nil where the key stands in the same file.
        package var key: String?

        package init() {}

        var identity: TLSIdentity? { file.map { TLSIdentity(certificateFile: $0, keyFile: key ?? $0) } }
    }

    /// How fast messages are sent.
    package struct Sending: Equatable, Sendable {
        /// Nil as fast as the server takes them.
        package var perSecond: Int?
        /// How many may leave at once after a rest.
        package var burst = 10

        package init() {}

        var pace: Pace? { perSecond.map { Pace(perSecond: $0, burst: burst) } }
    }

    /// When a silent server is asked whether it is still there.
    package struct Ping: Equatable, Sendable {
        /// After so much silence; nil for never.
        package var every: Duration? = .seconds(60)
        /// How long the answer may take.
        package var timeout: Duration = .seconds(20)

        package init() {}
    }

    /// Whether logins are bound to the TLS connection.
    package enum ChannelBinding: String, Sendable, CaseIterable {
        /// Where the server says how.
        case auto
        case required, off
    }

    /// Whether SASL2 is used.
    package enum SASL2: String, Sendable, CaseIterable {
        /// Where the server offers it.
        case auto
        case off
    }

    package enum Encryption: String, Sendable, CaseIterable {
        case required
        /// None at all; the reader allows it for a loopback server only.
        case off
    }

    /// An explicit server.
    package struct Server: Equatable, Sendable {
        /// A host name or an IP address, without brackets.
        package var host: String
        package var port: UInt16
        /// Whether TLS comes first there (XEP-0368), and no stream in the clear before it.
        package var directTLS: Bool

        /// - Parameter port: Nil for 5222, or 5223 with direct TLS.
        package init(host: String, port: UInt16? = nil, directTLS: Bool = false) {
            self.host = host
            self.port = port ?? (directTLS ? 5223 : 5222)
            self.directTLS = directTLS
        }
    }

    /// A name server.
    package struct NameServer: Equatable, Sendable {
        /// An IP address, without brackets.
        package var address: String
        package var port: UInt16

        package init(address: String, port: UInt16 = 53) {
            self.address = address
            self.port = port
        }
    }

    /// What becomes of subscription requests: admins are accepted first, then the first rule that fits decides.
    package struct Subscriptions: Equatable, Sendable {
        package var rules: [Rule] = []
        package var fallback = Action.ask
        /// Said once to a newly accepted person.
        package var greeting: String?
        package var limitPerDomain: Limit?

        package init() {}

        package enum Action: String, Sendable, CaseIterable {
            case accept
            case acceptMutual = "accept-mutual"
            case ask, reject, ignore, block
        }

        package struct Rule: Equatable, Sendable {
            package var match: JIDPattern
            package var action: Action
            /// The roster group that the contact is filed under.
            package var group: String?
            package var limit: RuleLimit

            package init(match: JIDPattern, action: Action, group: String? = nil, limit: RuleLimit = .inherited) {
                self.match = match
                self.action = action
                self.group = group
                self.limit = limit
            }
        }

        /// The limit per domain for what a rule accepts.
        package enum RuleLimit: Equatable, Sendable {
            /// `limitPerDomain` holds.
            case inherited
            case off
            case some(Limit)
        }

        /// How many requests of one domain are accepted in a stretch of time; what is above stays pending.
        package struct Limit: Equatable, Sendable {
            package var count: Int
            package var per: Duration

            package init(count: Int, per: Duration) {
                self.count = count
                self.per = per
            }
        }
    }

    package struct Commands: Equatable, Sendable {
        package var prefix = "!"
        /// Older messages are stale: logged, not run.
        package var maxAge: Duration = .seconds(120)
        /// The limit of one handler.
        package var timeout: Duration = .seconds(30)
        /// How many messages in a row that only repeat the bot are taken for a circle; nil for no brake.
        package var loopBrake: Int? = 4
        /// The longest text that is read as a command, in UTF-8 bytes.
        package var inputLimit = 65_536
        /// Which of several bodies is read (RFC 5646 tag); nil for the one without a language.
        package var language: String?
        package var output = Output()
        /// Whether people see that a command is at work for them.
        package var typing = true
        /// The commands that the configuration alone declares.
        package var list: [ProgramCommand] = []
        /// How many programs run at once, those of all conversations together.
        package var programsAtOnce = 8
        package var perPerson = PerPerson()
        /// Who may run what, in place of what the bot's code says.
        package var access: [AccessOverride] = []

        package init() {}
    }

    /// How fast the messages of one person are taken up.
    package struct PerPerson: Equatable, Sendable {
        /// Nil as fast as they come.
        package var perSecond: Int?
        /// How many are taken up at once after a rest.
        package var burst = 20

        package init() {}

        var pace: Pace? { perSecond.map { Pace(perSecond: $0, burst: burst) } }
    }

    /// How much of an answer leaves at once.
    package struct Output: Equatable, Sendable {
        /// The longest message, in characters; nil sends every answer whole.
        package var characters: Int? = 2_400
        /// How many messages leave before the person has to ask for more.
        package var messages = 3

        package init() {}
    }

    package struct Journal: Equatable, Sendable {
        package var path = ""
        package var durability = Durability.normal
        /// What is stored of a body that comes in, in characters.
        package var bodyLimit = 65_536
        /// What is stored of its extension elements, in bytes.
        package var payloadLimit = 65_536
        /// Whether the texts of messages stay when all is done with them.
        package var bodies = true
        /// How long messages are kept; nil for ever.
        package var keep: Duration?
        package var backup = Backup()

        package init() {}

        /// The backups that the bot makes by itself.
        package struct Backup: Equatable, Sendable {
            /// Nil for none.
            package var every: Duration?
            /// How many are kept.
            package var keep = 7
            /// Nil for the folder of the journal.
            package var folder: String?

            package init() {}
        }

        package enum Durability: String, Sendable, CaseIterable {
            /// Safe against a killed process.
            case normal
            /// Safe against a power cut too.
            case full
        }
    }

    /// What the bot reads of the archive that its server keeps for the account.
    package struct Archive: Equatable, Sendable {
        /// Whether it reads, after a login, what was said while it was away.
        package var catchUp = true
        /// How far back it reads at the very first login; nil for nothing.
        package var onFirstLogin: Duration?

        package init() {}
    }

    package struct Diagnostics: Equatable, Sendable {
        package var level = LogLevel.info
        package var format = LogFormat.text
        /// Who hears in the chat of what goes wrong; nil for the admins.
        package var notified: [JID]?

        package init() {}
    }
}
