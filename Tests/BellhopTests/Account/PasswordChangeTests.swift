import BellhopClient
import BellhopDiagnostics
import BellhopXMPP
import Foundation
import Testing

@testable import Bellhop

@Suite("Changing the password")
struct PasswordChangeTests {
    typealias Answer = AccountRequestRun.Outcome

    /// What a server is asked, and what it answers, in order.
    private final class Server {
        var answers: [Answer]
        var asked: [String] = []
        /// What stood in the files when it was asked.
        var files: [[String]] = []

        init(_ answers: [Answer]) { self.answers = answers }
    }

    private struct Result: Equatable {
        var outcome: PasswordChange.Outcome?
        var asked: [String]
        var old: String?
        var new: String?
        var refused: String?
    }

    /// Begins a change to `new`, or goes on with one to `pending`.
    private func run(_ answers: [Answer], new: String? = nil, pending: String? = nil) throws -> Result {
        try TemporaryFolder.with { folder in
            let file = PasswordFile(path: folder + "/password")
            try file.make(Secret("old")).get()
            if let pending { try file.propose(Secret(pending)).get() }
            var configuration = Configuration(jid: try JID("bot@example.org"), password: Secret("old"))
            configuration.account.passwordFile = file.path
            let server = Server(answers)
            let change = PasswordChange(configuration: configuration, file: file) { password, request in
                let what: String
                switch request {
                case .login: what = "login"
                case .passwordChange(let new): what = "change to \(String(decoding: new.password, as: UTF8.self))"
                case .removal: what = "removal"
                }
                server.asked.append("\(what) as \(password.reveal())")
                // Both are there while the server is asked, whatever becomes of us now.
                #expect(file.candidates.first == Secret("old") && file.pending != nil)
                return server.answers.isEmpty ? .notSent(.failed("too many questions")) : server.answers.removeFirst()
            }
            var outcome = try new.map { try change.begin(Secret($0)) } ?? change.goOn()
            let left = file.pending?.reveal()
            var refused: String?
            if case .refusedDraft(let error, let kept)? = outcome {
                let bytes = try SystemFile.read(kept, limit: 100).get().bytes
                refused = String(decoding: bytes, as: UTF8.self)
                outcome = .refusedDraft(error, kept: kept.replacingOccurrences(of: folder, with: ""))
            }
            return Result(
                outcome: outcome, asked: server.asked, old: file.candidates.first?.reveal(), new: left, refused: refused
            )
        }
    }

    private static let no = StanzaError(.notAllowed, text: "no")

    @Test("a change ends with one password in the file, unless the server's word is not known")
    func begin() throws {
        let asked = ["change to new as old"]
        #expect(try run([.done], new: "new") == Result(outcome: .changed, asked: asked, old: "new", new: nil))
        #expect(
            try run([.refused(Self.no)], new: "new")
                == Result(outcome: .refused(Self.no), asked: asked, old: "old", new: nil))
        #expect(
            try run([.unknown(reason: "gone")], new: "new")
                == Result(outcome: .unknown(reason: "gone"), asked: asked, old: "old", new: "new"))
        for ending in [AccountEnding.loginRefused("x"), .failed("x"), .stopped] {
            #expect(
                try run([.notSent(ending)], new: "new")
                    == Result(outcome: .notSent(ending), asked: asked, old: "old", new: nil))
        }
    }

    @Test("what is no password, or the old one, is not asked for")
    func unusable() throws {
        #expect(
            try run([], new: "") == Result(outcome: .unusable(.emptyPassword), asked: [], old: "old", new: nil))
        #expect(
            try run([], new: "a\u{7}b") == Result(outcome: .unusable(.password), asked: [], old: "old", new: nil))
        for blanks in [" ", "  ", "\u{3000} "] {
            #expect(try run([], new: blanks) == Result(outcome: .blank, asked: [], old: "old", new: nil))
        }
        #expect(try run([], new: "old") == Result(outcome: .same, asked: [], old: "old", new: nil))
        #expect(
            try run([], new: "next", pending: "new").outcome != .changed)
    }

    @Test("nothing but blanks is no password of an interrupted change either, and the server is not asked")
    func blankDraft() throws {
        for blanks in [" ", "\u{3000} "] {
            let result = try run([], pending: blanks)
            #expect(result.outcome == .unusableDraft("it holds nothing but blanks"))
            #expect(result.asked == [] && result.old == "old")
        }
    }

    @Test("an interrupted change is finished, whether the server had taken the new password or not")
    func goOn() throws {
        let first = "change to new as old"
        #expect(try run([]) == Result(outcome: nil, asked: [], old: "old", new: nil))
        #expect(try run([.done], pending: "new") == Result(outcome: .finished, asked: [first], old: "new", new: nil))
        #expect(
            try run([.notSent(.loginRefused("x")), .done], pending: "new")
                == Result(outcome: .finished, asked: [first, "login as new"], old: "new", new: nil))
        #expect(
            try run([.notSent(.loginRefused("x")), .notSent(.loginRefused("y"))], pending: "new")
                == Result(outcome: .neitherWorks("x"), asked: [first, "login as new"], old: "old", new: "new"))
        #expect(
            try run([.notSent(.loginRefused("x")), .notSent(.failed("y"))], pending: "new")
                == Result(outcome: .notSent(.failed("y")), asked: [first, "login as new"], old: "old", new: "new"))
        #expect(
            try run([.notSent(.failed("x"))], pending: "new")
                == Result(outcome: .notSent(.failed("x")), asked: [first], old: "old", new: "new"))
        #expect(
            try run([.refused(Self.no)], pending: "new")
                == Result(
                    outcome: .refusedDraft(Self.no, kept: "/password.refused"), asked: [first], old: "old", new: nil,
                    refused: "new\n"))
        #expect(
            try run([.unknown(reason: nil)], pending: "new")
                == Result(outcome: .unknown(reason: nil), asked: [first], old: "old", new: "new"))
    }
}
