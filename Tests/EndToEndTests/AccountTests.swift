import FoundationEssentials
import Glibc
import Testing

@Suite("The account itself, on real servers", .timeLimit(.minutes(5)))
struct AccountTests {
    /// A bot whose password is in a file, which nobody has made yet.
    private func with(
        _ kind: RealServer.Kind, namesFile: Bool = true, _ body: (TestBot, String) async throws -> Void
    ) async throws {
        try await withServer(kind, namesFile: namesFile) { _, bot, file in try await body(bot, file) }
    }

    private func withServer(
        _ kind: RealServer.Kind, namesFile: Bool = true, _ body: (RealServer, TestBot, String) async throws -> Void
    ) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.configured(at: server) { bot in
                let password = namesFile ? #""password": {"file": "bot.password"}, "# : ""
                let text = """
                    {"account": {"jid": "\(bot.jid)", \(password)"trust": {"ca": "\(server.authority)"},
                      "server": {"host": "\(server.host)", "port": \(server.port)}, "reconnect": {"spread": "0s"}},
                     "journal": {"path": "\(bot.journal)"}}
                    """
                try Data(text.utf8).write(to: URL(filePath: bot.configuration))
                try await body(server, bot, bot.directory + "/bot.password")
            }
        }
    }

    private func command(_ bot: TestBot, _ words: String..., input: String = "") async throws -> CompletedRun {
        try await bot.program.run(words + ["--config", bot.configuration], input: input)
    }

    private func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    @Test(
        "register makes a password, keeps it private, and the account works with it; a second one finds it there",
        arguments: RealServer.Kind.allCases, [true, false])
    func register(kind: RealServer.Kind, namesFile: Bool) async throws {
        try await with(kind, namesFile: namesFile) { bot, file in
            let run = try await command(bot, "register")
            #expect(run.end == .exited(0), "\(run.errors)")
            #expect(run.errors.contains("Made a password for the account and wrote it to \(file)"))
            #expect(run.errors.contains(#"add "password": {"file": "bot.password"} to account"#) == !namesFile)
            let password = try read(file)
            #expect(password.count == 27 && !run.errors.contains(password.prefix(26)))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let again = try await command(bot, "register")
            #expect(again.end == .exited(0) && again.errors.contains("is there already, and its password works"))
            #expect(try read(file) == password)
            try Data("other\n".utf8).write(to: URL(filePath: file))
            let wrong = try await command(bot, "register")
            #expect(wrong.end == .exited(69) && wrong.errors.contains("the name bot is taken on localhost"))
            try FileManager.default.removeItem(atPath: file)
            let made = try await command(bot, "register")
            #expect(made.end == .exited(69) && made.errors.contains("stays in \(file): the next"))
            try Data(password.utf8).write(to: URL(filePath: file))
            if namesFile {
                let check = try await command(bot, "check", "--online")
                #expect(check.end == .exited(0), "\(check.errors)")
            }
        }
    }

    @Test("register --run makes the account and is online with it at once", arguments: RealServer.Kind.allCases)
    func registerAndRun(kind: RealServer.Kind) async throws {
        try await with(kind) { bot, _ in
            try await bot.program.running(["register", "--run", "--config", bot.configuration]) { child in
                #expect(try await child.errors.line(containing: "has made the account bot@localhost") != nil)
                #expect(try await child.comesOnline() != nil, "\(child.errors.lines)")
                let status = try await command(bot, "status")
                #expect(status.end == .exited(0))
            }
        }
    }

    @Test(
        "passwd changes the password under a running bot, which stays or comes back",
        arguments: RealServer.Kind.allCases)
    func passwd(kind: RealServer.Kind) async throws {
        try await with(kind) { bot, file in
            #expect(try await command(bot, "register").end == .exited(0))
            let first = try read(file)
            try await bot.online { child in
                let made = try await command(bot, "passwd", "--generate")
                #expect(made.end == .exited(0), "\(made.errors)")
                #expect(made.errors.contains("The password is changed on the server and in \(file)."))
                let second = try read(file)
                #expect(second != first && second.count == 27)
                #expect(!FileManager.default.fileExists(atPath: file + ".new"))
                let given = try await command(bot, "passwd", "--from", "-", input: "a b#c\"'&<>\n")
                #expect(given.end == .exited(0), "\(given.errors)")
                #expect(try read(file) == "a b#c\"'&<>\n")
                let asked = try await command(bot, "passwd", input: "third\n")
                #expect(asked.end == .exited(0), "\(asked.errors)")
                #expect(try read(file) == "third\n")
                // Some servers end the other sessions of an account whose password changes.
                while try await command(bot, "status").end != .exited(0) {
                    try #require(!child.hasEnded, "\(child.errors.lines)")
                }
            }
            #expect(try await command(bot, "check", "--online").end == .exited(0))
        }
    }

    @Test("two passwd at once: the second changes nothing", arguments: RealServer.Kind.allCases.prefix(1))
    func twoAtOnce(kind: RealServer.Kind) async throws {
        try await withServer(kind) { server, bot, file in
            #expect(try await command(bot, "register").end == .exited(0))
            try server.freeze()
            try await bot.program.running(["passwd", "--generate", "--config", bot.configuration]) { child in
                while !FileManager.default.fileExists(atPath: file + ".new") {
                    try #require(!child.hasEnded)
                    await Task.yield()
                }
                let new = try read(file + ".new")
                let second = try await command(bot, "passwd", "--generate")
                #expect(second.end == .exited(75) && second.errors.contains("Another passwd works on \(file)"))
                try server.thaw()
                #expect(await child.end() == .exited(0))
                #expect(try read(file) == new)
            }
        }
    }

    @Test(
        "an interrupted passwd is finished by the next, whatever the server had done",
        arguments: RealServer.Kind.allCases)
    func interrupted(kind: RealServer.Kind) async throws {
        try await with(kind) { bot, file in
            #expect(try await command(bot, "register").end == .exited(0))
            // The server has not heard of it.
            try Data("second\n".utf8).write(to: URL(filePath: file + ".new"))
            let check = try await command(bot, "check", "--online")
            #expect(check.end == .exited(0) && check.errors.contains("a change of the password was interrupted"))
            let finished = try await command(bot, "passwd", "--generate")
            #expect(finished.end == .exited(0), "\(finished.errors)")
            #expect(try read(file) == "second\n")
            // Who gives a password hears that it is not set, unless it is the one that waited.
            for (given, code) in [("wanted\n", 1), ("third\n", 0)] as [(String, Int32)] {
                try Data("third\n".utf8).write(to: URL(filePath: file + ".new"))
                let other = try await command(bot, "passwd", "--from", "-", input: given)
                #expect(other.end == .exited(code), "\(other.errors)")
                #expect(other.errors.contains("To set another, run passwd again."))
                #expect(try read(file) == "third\n")
            }
            try Data("second\n".utf8).write(to: URL(filePath: file + ".new"))
            #expect(try await command(bot, "passwd").end == .exited(0))
            // The server has done it, and the answer was lost.
            try Data("first\n".utf8).write(to: URL(filePath: file))
            try Data("second\n".utf8).write(to: URL(filePath: file + ".new"))
            try await bot.online { _ in }
            let again = try await command(bot, "passwd")
            #expect(again.end == .exited(0), "\(again.errors)")
            #expect(try read(file) == "second\n" && !FileManager.default.fileExists(atPath: file + ".new"))
        }
    }

    @Test("unregister removes the account, and only the one that is named", arguments: RealServer.Kind.allCases)
    func unregister(kind: RealServer.Kind) async throws {
        try await with(kind) { bot, file in
            #expect(try await command(bot, "register").end == .exited(0))
            #expect(try await command(bot, "unregister").end == .exited(64))
            let wrong = try await command(bot, "unregister", "--yes", "other@localhost")
            #expect(wrong.end == .exited(64) && wrong.errors.contains("nothing was removed"))
            try await bot.online { child in
                let running = try await command(bot, "unregister", "--yes", bot.jid)
                #expect(running.end == .exited(75), "\(running.errors)")
                child.signal(SIGSTOP)
                let hanging = try await command(bot, "unregister", "--yes", bot.jid)
                #expect(hanging.end == .exited(75), "\(hanging.errors)")
                child.signal(SIGCONT)
            }
            #expect(try await command(bot, "check", "--online").end == .exited(0))
            let gone = try await command(bot, "unregister", "--yes", bot.jid)
            #expect(gone.end == .exited(0), "\(gone.errors)")
            #expect(gone.output.contains("The account \(bot.jid) is gone from its server."))
            #expect(FileManager.default.fileExists(atPath: file))
            #expect(FileManager.default.fileExists(atPath: bot.journal))
            #expect(try await command(bot, "check", "--online").end == .exited(77))
            #expect(try await command(bot, "register").end == .exited(0))
        }
    }

    @Test("a password that is in no file is left alone", arguments: RealServer.Kind.allCases.prefix(1))
    func noFile(kind: RealServer.Kind) async throws {
        try await RealServer.running(kind) { server in
            try await TestBot.registered(at: server) { bot in
                let run = try await command(bot, "passwd", "--generate")
                #expect(run.end == .exited(78))
                #expect(run.errors.contains("this one stands in the configuration itself"))
                #expect(try await command(bot, "check", "--online").end == .exited(0))
            }
        }
    }

    // MARK: Riddles

    /// Registers at an ejabberd that shows pictures, in a terminal of script(1), and types `solution`.
    private func registering(
        typing solution: @Sendable (String) -> String
    ) async throws -> (end: ProcessEnd, lines: [String], picture: String) {
        try await RealServer.running(.ejabberd, [.riddles]) { server in
            try await TestBot.configured(at: server) { bot in
                let call = "\(bot.program.path) register --config \(bot.configuration)"
                return try await ChildProcess.running(
                    "/usr/bin/script", ["--quiet", "--return", "--flush", "--command", call, "/dev/null"],
                    environment: ["TMPDIR": bot.directory]
                ) { child in
                    let line = try await child.output.line(containing: "The picture is at http") ?? ""
                    let picture = line.split(separator: " ").last.map(String.init) ?? ""
                    let text = try read(server.directory + "/captcha.txt")
                    await child.write(solution(String(text.filter { !$0.isWhitespace })) + "\n")
                    let end = await child.end()
                    _ = try await child.output.everything()
                    return (end, child.output.lines, picture)
                }
            }
        }
    }

    @Test("a riddle of ejabberd is shown in a terminal, and the right answer makes the account")
    func riddle() async throws {
        let run = try await registering { $0 }
        #expect(run.end == .exited(0), "\(run.lines)")
        #expect(run.lines.contains { $0.contains("Enter the text you see [ocr]: ") })
        #expect(run.lines.contains { $0.contains("The account bot@localhost exists now and can log in") })
        #expect(run.picture.contains("/picture.png"))
    }

    @Test("a wrong answer makes none, and it is said what to do")
    func wrongAnswer() async throws {
        let run = try await registering { "9" + $0 }
        #expect(run.end == .exited(69), "\(run.lines)")
        #expect(run.lines.contains { $0.contains("does not take what was read in the picture") }, "\(run.lines)")
    }

    @Test("without a terminal the server's question is told, and no password leaves")
    func nobodyToAsk() async throws {
        try await RealServer.running(.ejabberd, [.riddles]) { server in
            try await TestBot.configured(at: server) { bot in
                let run = try await command(bot, "register")
                #expect(run.end == .exited(69))
                #expect(
                    run.errors.contains("ocr (Enter the text you see)")
                        && run.errors.contains("run register in a terminal"))
            }
        }
    }
}
