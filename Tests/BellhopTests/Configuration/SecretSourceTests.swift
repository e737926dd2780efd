import Bellhop
import BellhopDiagnostics
import Testing

@Suite("Passwords")
struct SecretSourceTests {
    private func text(_ source: String) -> String {
        "{\"account\": {\"jid\": \"bot@example.org\", \"password\": \(source)}}"
    }

    private func surroundings(_ bytes: [UInt8], mode: UInt32 = 0o600) -> FakeSurroundings {
        var surroundings = FakeSurroundings()
        surroundings.variables["CREDENTIALS_DIRECTORY"] = "/run/credentials/bot"
        surroundings.variables["SECRET"] = String(decoding: bytes, as: UTF8.self)
        surroundings.files["secret.txt"] = FileContents(bytes: bytes, mode: mode)
        surroundings.files["/run/credentials/bot/pw"] = FileContents(bytes: bytes, mode: 0o400)
        surroundings.programs["pass show bot"] = .success(bytes)
        return surroundings
    }

    @Test(
        "one newline at the end of a file or a program's output is no part of the password",
        arguments: [
            ("hunter2", "hunter2"), ("hunter2\n", "hunter2"), ("hunter2\r\n", "hunter2"), ("hunter2\n\n", "hunter2\n"),
            (" hunter2 \n", " hunter2 "),
        ],
        ["{\"file\": \"secret.txt\"}", "{\"credential\": \"pw\"}", "{\"command\": [\"pass\", \"show\", \"bot\"]}"])
    func newline(pair: (written: String, password: String), source: String) throws {
        let loaded = try surroundings(Array(pair.written.utf8)).load(text(source)).get()
        #expect(loaded.configuration.account.password.reveal() == pair.password)
    }

    @Test("a variable holds the password exactly")
    func variable() throws {
        let loaded = try surroundings(Array("hunter2\n".utf8)).load(text("{\"env\": \"SECRET\"}")).get()
        #expect(loaded.configuration.account.password.reveal() == "hunter2\n")
        #expect(loaded.passwordSource == .environment("SECRET"))
    }

    @Test("who has a certificate to show needs no password, and one that is given counts all the same")
    func certificate() throws {
        let pem = "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n"
        let surroundings = surroundings(Array("hunter2".utf8)).having("bot.pem", pem)
        func text(_ password: String) -> String {
            "{\"account\": {\"jid\": \"bot@example.org\", \"certificate\": {\"file\": \"bot.pem\"}\(password)}}"
        }
        let without = try surroundings.load(text("")).get()
        #expect(without.configuration.account.password.reveal() == "")
        let shown = ConfigurationSummary.facts(without).first { $0.name == "password" }
        #expect(shown?.value == "none; the certificate has to do")
        let with = try surroundings.load(text(", \"password\": {\"env\": \"SECRET\"}")).get()
        #expect(with.configuration.account.password.reveal() == "hunter2")
        #expect(surroundings.complaints(text(", \"password\": {\"env\": \"NONE\"}")).count == 1)
    }

    @Test(
        "an empty password is refused wherever it comes from",
        arguments: [
            (
                "{\"env\": \"SECRET\"}",
                "account.password.env: The environment variable SECRET is empty; set it where the bot is started, "
                    + "or take the value from a file."
            ),
            ("{\"file\": \"secret.txt\"}", "account.password.file: The file \"secret.txt\" is empty."),
            (
                "{\"credential\": \"pw\"}",
                "account.password.credential: The file \"/run/credentials/bot/pw\" is empty."
            ),
            (
                "{\"command\": [\"pass\", \"show\", \"bot\"]}",
                "account.password.command: The program \"pass\" printed nothing."
            ),
        ])
    func empty(source: String, complaint: String) {
        #expect(surroundings([]).complaints(text(source)) == ["bot.json:1:52: " + complaint])
    }

    @Test(
        "a program that fails is named with the reason",
        arguments: [
            (ConfigurationProblem.CommandFailure.exit(2), "ended with exit code 2."),
            (.signal(9), "was ended by signal 9."),
            (.timedOut(.seconds(10)), "was stopped, since it took longer than 10s."),
            (.tooMuchOutput(limit: 65_536), "was stopped, since it printed more than 65536 bytes."),
            (.notStarted(reason: "Permission denied"), "can't be started: Permission denied."),
        ])
    func failing(failure: ConfigurationProblem.CommandFailure, phrase: String) {
        var surroundings = FakeSurroundings()
        surroundings.programs["pass show bot"] = .failure(failure)
        #expect(
            surroundings.complaints(text("{\"command\": [\"pass\", \"show\", \"bot\"]}"))
                == ["bot.json:1:52: account.password.command: The program \"pass\" \(phrase)"])
    }

    @Test("bytes that are no text are no password")
    func noText() {
        #expect(
            surroundings([0xFF, 0x0A]).complaints(text("{\"file\": \"secret.txt\"}"))
                == ["bot.json:1:52: account.password.file: What was read is no UTF-8 text."])
    }

    @Test(
        "a password in a file that others can read or change is refused, with the command that mends it",
        arguments: [
            (UInt32(0o644), "0644"), (0o640, "0640"), (0o604, "0604"), (0o620, "0620"), (0o602, "0602"),
            (0o777, "0777"),
        ])
    func readable(mode: UInt32, shown: String) {
        #expect(
            FakeSurroundings().complaints(text("\"hunter2\""), mode: mode) == [
                "bot.json:1:52: account.password: The password stands in a file that others can read (mode \(shown)); "
                    + "run: chmod 600 bot.json"
            ])
    }

    @Test("a file without a plain password may be read by everybody", arguments: [UInt32(0o644), 0o600, 0o400])
    func open(mode: UInt32) {
        #expect(surroundings([0x78]).complaints(text("{\"env\": \"SECRET\"}"), mode: mode).isEmpty)
    }

    @Test("a password file that others can read is worth a note")
    func note() throws {
        let open = try surroundings([0x78], mode: 0o444).load(text("{\"file\": \"secret.txt\"}")).get()
        #expect(
            open.notes == [
                "account.password.file: others can read secret.txt (mode 0444); chmod 600 secret.txt mends that."
            ])
        #expect(try surroundings([0x78]).load(text("{\"file\": \"secret.txt\"}")).get().notes.isEmpty)
    }

    @Test("a loaded configuration never shows its password")
    func hidden() throws {
        let loaded = try FakeSurroundings().load(text("\"hunter2\"")).get()
        var dumped = ""
        dump(loaded, to: &dumped)
        for text in ["\(loaded)", String(reflecting: loaded), dumped] { #expect(!text.contains("hunter2")) }
        #expect(loaded.configuration.account.password.reveal() == "hunter2")
    }
}
