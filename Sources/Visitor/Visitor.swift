internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopTransport
internal import BellhopXMPP
import FoundationEssentials
import Glibc

/// A person on the other side: registers an account, asks a bot for its friendship and talks to it from the terminal.
@main struct Visitor {
    static func main() {
        let options: VisitorOptions
        switch VisitorOptions.parse(Array(CommandLine.arguments.dropFirst())) {
        case .success(let parsed): options = parsed
        case .failure(let problem):
            Screen.note("visitor: \(problem.sentence)\n\(VisitorOptions.usage)")
            exit(64)
        }
        do {
            exit(try run(options))
        } catch {
            Screen.note("visitor: \(error)")
            exit(69)
        }
    }

    private static func run(_ options: VisitorOptions) throws -> Int32 {
        let password = try readPassword(options.passwordFile)
        var settings = AccountSettings(jid: options.jid, password: password)
        settings.server = ServerTarget(options.server)
        settings.authorities = options.authorities
        settings.resource = "visitor"
        settings.registersFirst = options.task == .register
        settings.retries = false
        let loop = try AccountLoop(settings: settings, log: .silent)
        let handle = loop.handle
        try SignalWatch.start { _ in handle.stop() }
        let house = VisitorHouse(loop: loop, task: options.task)
        if case .talk(_, nil) = options.task { try readLines(into: handle) }
        switch loop.run(house: house) {
        case .stopped: return house.exitCode
        case .loginRefused(let reason), .registrationRefused(let reason), .conflict(let reason), .failed(let reason):
            Screen.note("visitor: \(reason)")
            return 69
        }
    }

    private static func readPassword(_ path: String) throws -> Secret {
        var text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        if text.hasSuffix("\n") { text.removeLast() }
        return Secret(text)
    }

    private static func readLines(into handle: AccountHandle) throws {
        try LoopThread.start("lines") {
            while let line = readLine(strippingNewline: true) { handle.post(VisitorInput.line(line)) }
            handle.post(VisitorInput.end)
        }
    }
}

/// What the terminal says.
enum VisitorInput: Sendable {
    case line(String)
    case end
}

/// The two streams of the terminal: replies on one, everything else on the other.
enum Screen {
    static func note(_ text: String) { write(text + "\n", to: 2) }
    static func reply(_ text: String) { write(text + "\n", to: 1) }
    static func prompt() { write("> ", to: 2) }

    private static func write(_ text: String, to stream: Int32) {
        guard let stream = StandardStream(rawValue: stream) else { return }
        _ = stream.write(text)
    }
}
