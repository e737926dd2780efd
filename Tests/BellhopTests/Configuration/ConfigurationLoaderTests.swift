import Bellhop
import BellhopCrypto
import BellhopDiagnostics
import BellhopXMPP
import Testing

@Suite("Configuration loader")
struct ConfigurationLoaderTests {
    private let minimal = """
        {"account": {"jid": "Bot@Example.ORG", "password": "a b#c\\"'&<>$\\\\\\\\ü"}, "admins": ["you@example.org"]}
        """

    private func load(
        _ surroundings: FakeSurroundings, file: String? = nil
    ) -> Result<LoadedConfiguration, ConfigurationReport> {
        ConfigurationLoader(bot: "echobot", surroundings: surroundings).load(file: file)
    }

    private func lines(_ surroundings: FakeSurroundings, file: String? = nil) -> [String] {
        switch load(surroundings, file: file) {
        case .success: []
        case .failure(let report): report.lines
        }
    }

    @Test("account and admins are complete, and a password may hold every character")
    func complete() throws {
        let configuration = try FakeSurroundings().load(minimal).get().configuration
        #expect(configuration.account.jid.description == "bot@example.org")
        #expect(configuration.account.password.reveal() == "a b#c\"'&<>$\\\\ü")
        #expect(configuration.admins.map(\.description) == ["you@example.org"])
    }

    @Test(
        "where something else is wrong, the place of the journal is known if no mistake can be about it",
        arguments: [
            ("\"admins\": 5, \"journal\": {\"path\": \"/j.db\"}", "/j.db"),
            ("\"adminz\": [], \"journal\": {\"path\": \"/j.db\", \"keeep\": 1}", "/j.db"),
            ("\"admins\": 5", "/home/op/.local/state/bellhop/echobot/journal.db"),
            ("\"presence\": {\"shown\": 1}", "/home/op/.local/state/bellhop/echobot/journal.db"),
            ("\"adminz\": []", "/home/op/.local/state/bellhop/echobot/journal.db"),
            ("\"xyzzy\": {\"keep\": 1}", "/home/op/.local/state/bellhop/echobot/journal.db"),
            ("\"xyzzy\": {\"path\": \"/j.db\"}", nil),
            ("\"jurnal\": {\"path\": \"/j.db\"}", nil), ("\"journal\": {\"paht\": \"/j.db\"}", nil),
            ("\"journal\": {\"path\": 5}", nil), ("\"journal\": \"/j.db\"", nil),
            ("\"journal\": {\"path\": \"/j.db\", \"path\": \"/k.db\"}", nil),
            ("\"admins\": [", "/home/op/.local/state/bellhop/echobot/journal.db"),
            ("\"journal\": {}, \"admins\": [", nil), ("\"Jurnal\": {\"Path\": \"/j.db\"}, \"admins\": [", nil),
            ("\"\\u006aournal\": {\"\\u0070ath\": \"/j.db\"}, \"admins\": [", nil),
        ] as [(String, String?)])
    func journalOfBroken(rest: String, journal: String?) throws {
        let text = "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"x\"}, \(rest)}"
        switch FakeSurroundings().load(text) {
        case .success: Issue.record("this is right")
        case .failure(let report): #expect(report.journal == journal)
        }
        #expect(FakeSurroundings().complaints("5").count == 1)
        guard case .failure(let report) = FakeSurroundings().load("5") else { return }
        #expect(report.journal == nil)
    }

    @Test("where init has named a file for the password and nobody made it, it is said how")
    func passwordNotMade() {
        func lines(_ surroundings: FakeSurroundings, password: String = "b.password") -> [String] {
            let text = "{\"account\": {\"jid\": \"bot@example.org\", \"password\": {\"file\": \"\(password)\"}}}"
            let loader = ConfigurationLoader(bot: "echobot", surroundings: surroundings.having("/c/b.json", text))
            guard case .failure(let report) = loader.load(file: "/c/b.json") else { return [] }
            return report.lines.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        }
        let place = "account.password.file: The file \"/c/b.password\""
        #expect(
            lines(FakeSurroundings()) == [
                "\(place) can't be read: there is no such file. Write the password into it, or make the account with "
                    + "echobot register."
            ])
        for empty in ["", "\n"] {
            #expect(
                lines(FakeSurroundings().having("/c/b.password", empty)) == [
                    "\(place) is empty. Write the password into it, or remove it and make the account with echobot register."
                ])
        }
        #expect(
            lines(FakeSurroundings(), password: "pw") == [
                "account.password.file: The file \"/c/pw\" can't be read: there is no such file."
            ])
    }

    @Test(
        "where something else is wrong, the account is known if no mistake can be about it",
        arguments: [
            ("{\"account\": {\"jid\": \"bot@example.org\", \"password\": 5}}", "bot@example.org"),
            ("{\"account\": {\"jid\": \"bot@example.org\", \"password\": \"x\"}, \"admins\": 5}", "bot@example.org"),
            ("{\"account\": {\"jid\": \"@\", \"password\": \"x\"}}", nil),
            ("{\"account\": {\"jid\": 5, \"password\": \"x\"}}", nil), ("{\"account\": 5}", nil), ("{}", nil),
            ("{\"account\": {\"jid\": \"a@example.org\", \"jid\": \"b@example.org\", \"password\": \"x\"}}", nil),
        ] as [(String, String?)])
    func accountOfBroken(text: String, account: String?) {
        switch FakeSurroundings().load(text) {
        case .success: Issue.record("this is right")
        case .failure(let report): #expect(report.account?.bareText == account)
        }
    }

    @Test(
        "a server is read in every form",
        arguments: [
            ("\"xmpp.example.org\"", "xmpp.example.org", 5222), ("\"xmpp.example.org:443\"", "xmpp.example.org", 443),
            ("\"192.0.2.1\"", "192.0.2.1", 5222), ("\"2001:db8::1\"", "2001:db8::1", 5222),
            ("\"[2001:db8::1]\"", "2001:db8::1", 5222), ("\"[2001:db8::1]:5223\"", "2001:db8::1", 5223),
            ("{\"host\": \"::1\"}", "::1", 5222), ("{\"host\": \"h\", \"port\": 1}", "h", 1),
            ("\"xmpps://xmpp.example.org\"", "xmpp.example.org", 5223), ("\"xmpps://h:443\"", "h", 443),
            ("\"xmpps://[::1]:5222\"", "::1", 5222), ("{\"host\": \"h\", \"directTLS\": true}", "h", 5223),
            ("{\"host\": \"h\", \"port\": 1, \"directTLS\": true}", "h", 1),
        ] as [(String, String, UInt16)])
    func servers(json: String, host: String, port: UInt16) throws {
        let text = "{\"account\": {\"jid\": \"b@example.org\", \"password\": \"x\", \"server\": \(json)}}"
        let server = try FakeSurroundings().load(text).get().configuration.account.server
        let isDirect = json.contains("xmpps") || json.contains("true")
        #expect(server == Configuration.Server(host: host, port: port, directTLS: isDirect))
    }

    @Test(
        "a name server is an address, with a port or without",
        arguments: [
            ("192.0.2.53", "192.0.2.53", 53), ("192.0.2.53:5353", "192.0.2.53", 5353), ("::1", "::1", 53),
            ("[2001:db8::53]:54", "2001:db8::53", 54),
        ] as [(String, String, UInt16)])
    func nameServers(text: String, address: String, port: UInt16) throws {
        let json = "{\"account\": {\"jid\": \"b@example.org\", \"password\": \"x\", \"nameServer\": \"\(text)\"}}"
        let account = try FakeSurroundings().load(json).get().configuration.account
        #expect(account.nameServer == Configuration.NameServer(address: address, port: port))
    }

    @Test(
        "encryption can be off on loopback only",
        arguments: [
            ("localhost", true), ("LOCALHOST:5223", true), ("127.0.0.1", true), ("127.9.9.9:1", true), ("[::1]", true),
            ("example.org", false), ("127.0.0.1.example.org", false), ("127.0.0", false), ("127.0.0.256", false),
            ("[::2]", false), ("localhost.example.org", false),
        ])
    func loopback(server: String, allowed: Bool) {
        let text = """
            {"account": {"jid": "b@example.org", "password": "x", "tls": "off", "server": "\(server)"}}
            """
        #expect(FakeSurroundings().complaints(text).isEmpty == allowed)
    }

    @Test("the environment suffices without a file")
    func environment() throws {
        var surroundings = FakeSurroundings().having("ca.pem", "-----BEGIN CERTIFICATE-----\n")
        surroundings.variables = [
            "HOME": "/home/op", "BELLHOP_JID": "bot@example.org", "BELLHOP_PASSWORD": " p w ",
            "BELLHOP_ADMINS": "a@example.org, b@example.org  c@example.org,", "BELLHOP_SERVER": "[::1]:5223",
            "BELLHOP_CA": "ca.pem",
        ]
        let loaded = try load(surroundings).get()
        #expect(loaded.origin == .environment)
        #expect(loaded.configuration.account.password.reveal() == " p w ")
        #expect(loaded.configuration.admins.map(\.description) == ["a@example.org", "b@example.org", "c@example.org"])
        #expect(loaded.configuration.account.server == .init(host: "::1", port: 5223))
        #expect(loaded.configuration.account.connection.authorities == "ca.pem")
    }

    @Test(
        "an error in the environment names key and variable",
        arguments: [
            (
                ["BELLHOP_JID": "bot@example.org"],
                ["account.password (BELLHOP_PASSWORD): It is missing; set BELLHOP_PASSWORD."]
            ),
            (
                ["BELLHOP_JID": "", "BELLHOP_PASSWORD": "hunter2"],
                ["account.jid (BELLHOP_JID): It is missing; set BELLHOP_JID."]
            ),
            (
                [
                    "BELLHOP_JID": "bot@", "BELLHOP_PASSWORD": "hunter2", "BELLHOP_ADMINS": "you@example.org david",
                    "BELLHOP_SERVER": "a:b", "BELLHOP_CA": "none.pem",
                ],
                [
                    "account.jid (BELLHOP_JID): \"bot@\" is no address: the domain is missing.",
                    "account.server (BELLHOP_SERVER): The port must be a number from 1 to 65535.",
                    "admins[1] (BELLHOP_ADMINS): \"david\" has no @; write a whole address, like \"alice@example.org\".",
                    "account.trust.ca (BELLHOP_CA): The file \"none.pem\" can't be read: there is no such file.",
                ]
            ),
        ] as [([String: String], [String])])
    func wrongEnvironment(variables: [String: String], complaints: [String]) {
        var surroundings = FakeSurroundings()
        surroundings.variables.merge(variables) { $1 }
        #expect(lines(surroundings) == complaints)
    }

    @Test("with nothing at all the three ways on are named")
    func nothing() {
        var surroundings = FakeSurroundings()
        surroundings.variables["BELLHOP_PASSWORD"] = "hunter2"
        #expect(
            lines(surroundings) == [
                "There is no configuration: looked for /home/op/.config/bellhop/echobot.json and /etc/bellhop/echobot.json, "
                    + "and BELLHOP_JID is not set. Write one with init, name one with --config, or set BELLHOP_JID, "
                    + "BELLHOP_PASSWORD and BELLHOP_ADMINS."
            ])
    }

    @Test("files are looked for in order, and the first one counts")
    func search() throws {
        var surroundings = FakeSurroundings()
        func origin(_ file: String? = nil) -> LoadedConfiguration.Origin? {
            try? load(surroundings, file: file).get().origin
        }
        surroundings.variables["BELLHOP_JID"] = "bot@example.org"
        surroundings.variables["BELLHOP_PASSWORD"] = "x"
        #expect(origin() == .environment)
        surroundings = surroundings.having("/etc/bellhop/echobot.json", minimal)
        #expect(origin() == .file("/etc/bellhop/echobot.json"))
        surroundings = surroundings.having("/home/op/.config/bellhop/echobot.json", minimal)
        #expect(origin() == .file("/home/op/.config/bellhop/echobot.json"))
        surroundings = surroundings.having("/x/bellhop/echobot.json", minimal)
        surroundings.variables["XDG_CONFIG_HOME"] = "/x/"
        #expect(origin() == .file("/x/bellhop/echobot.json"))
        surroundings.variables["XDG_CONFIG_HOME"] = "relative"
        #expect(origin() == .file("/home/op/.config/bellhop/echobot.json"))
        surroundings = surroundings.having("own.json", minimal).having("other.json", minimal)
        surroundings.variables["BELLHOP_CONFIG"] = "own.json"
        #expect(origin() == .file("own.json"))
        #expect(origin("other.json") == .file("other.json"))
    }

    @Test("a file that is named must be there")
    func named() {
        var surroundings = FakeSurroundings()
        #expect(
            lines(surroundings, file: "x.json") == ["x.json: The configuration can't be read: there is no such file."])
        surroundings.variables["BELLHOP_CONFIG"] = "y.json"
        #expect(
            lines(surroundings) == [
                "y.json: The configuration can't be read: there is no such file. It is named by BELLHOP_CONFIG."
            ])
    }

    @Test(
        "the journal has its place",
        arguments: [
            (["HOME": "/h"], "", "/h/.local/state/bellhop/echobot/journal.db"),
            (["HOME": "/h", "XDG_STATE_HOME": "/s"], "", "/s/bellhop/echobot/journal.db"),
            (["STATE_DIRECTORY": "/var/lib/bot:/var/lib/other"], "", "/var/lib/bot/journal.db"),
            (["HOME": "/h"], "\"path\": \"bot.db\"", "conf/bot.db"),
            (["HOME": "/h"], "\"path\": \"/a/b.db\"", "/a/b.db"),
            (["HOME": "/h"], "\"path\": \"~/b.db\"", "/h/b.db"),
        ])
    func journal(variables: [String: String], json: String, path: String) throws {
        var surroundings = FakeSurroundings().having(
            "conf/bot.json", "{\"account\": {\"jid\": \"b@example.org\", \"password\": \"x\"}, \"journal\": {\(json)}}")
        surroundings.variables = variables
        #expect(try load(surroundings, file: "conf/bot.json").get().configuration.journal.path == path)
    }

    @Test("without a home there is no place for the journal")
    func homeless() {
        var surroundings = FakeSurroundings().having("bot.json", minimal)
        surroundings.variables = [:]
        #expect(
            lines(surroundings, file: "bot.json") == [
                "bot.json: journal.path: There is no place for the journal, since neither HOME nor XDG_STATE_HOME nor "
                    + "STATE_DIRECTORY is set; set this key."
            ])
    }

    @Test("a file of authorities without a certificate, such as a key, is refused before any login")
    func authoritiesWithoutCertificate() {
        let text = #"{"account": {"jid": "bot@example.org", "password": {"env": "P"}, "trust": {"ca": "ca.key"}}}"#
        var surroundings = FakeSurroundings().having("ca.key", "-----BEGIN PRIVATE KEY-----\n")
            .having("x.json", text)
        surroundings.variables = ["P": "secret", "HOME": "/home/op"]
        let expected = """
            x.json:1:82: account.trust.ca: The file "ca.key" holds no certificate; it must be PEM, with a BEGIN \
            CERTIFICATE line.
            """
        #expect(lines(surroundings, file: "x.json") == [expected])
    }

    @Test(
        "the bot's own certificate is looked at before any login",
        arguments: [
            (
                "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN CERTIFICATE-----\n",
                [
                    "x.json:1:90: account.certificate.file: The file \"bot.pem\" holds no certificate; it must be PEM, with a "
                        + "BEGIN CERTIFICATE line.",
                    "x.json:1:108: account.certificate.key: The file \"bot.key\" holds no key; it must be PEM, with a BEGIN "
                        + "PRIVATE KEY line.",
                ]
            ),
            (
                "-----BEGIN CERTIFICATE-----\n", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n",
                [
                    "x.json:1:108: account.certificate.key: The key in \"bot.key\" is encrypted, and nobody is there to type "
                        + "its password; run: openssl pkey -in bot.key -out NEW"
                ]
            ),
            ("-----BEGIN CERTIFICATE-----\n", "-----BEGIN EC PRIVATE KEY-----\n", []),
        ] as [(String, String, [String])])
    func ownCertificate(certificate: String, key: String, complaints: [String]) {
        let text =
            #"{"account": {"jid": "bot@example.org", "password": {"env": "P"}, "certificate": {"file": "bot.pem", "key": "bot.key"}}}"#
        var surroundings = FakeSurroundings().having("bot.pem", certificate).having("bot.key", key)
            .having("x.json", text)
        surroundings.variables = ["P": "secret", "HOME": "/home/op"]
        #expect(lines(surroundings, file: "x.json") == complaints)
    }

    @Test("a key alone proves the server, and the environment can name it")
    func pinnedByEnvironment() throws {
        let pin = "sha256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        var surroundings = FakeSurroundings()
        surroundings.variables = [
            "HOME": "/home/op", "BELLHOP_JID": "bot@example.org", "BELLHOP_PASSWORD": "p", "BELLHOP_PIN": pin,
        ]
        let configuration = try load(surroundings).get().configuration
        #expect(configuration.account.connection.authorities == nil)
        #expect(configuration.account.connection.pins.map(\.description) == [pin])
    }
}
