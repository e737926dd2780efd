import BellhopClient
import BellhopDiagnostics
import BellhopJournal
import BellhopXML
import Foundation

@testable import Bellhop
@testable import BellhopTestServer

/// What must have come of a case: every member of its `expect`.
extension CaseDriver {
    func check(folder: String) async throws {
        let expect = file.expect
        if bot.sink.lines.contains(where: { $0.event == "handler stopped" }) { fail("a handler took too long") }
        if stage == .online, !bot.hasEnded, expect["closed_by_bot"] == nil { try await wire.settle(bot) }
        for (member, value) in expect where CaseCatalogue.awaited(file.name, member) == nil {
            if try await checkBehaviour(member, value) { continue }
            if checkSent(member, value) { continue }
            if ["log", "log_rows", "incoming_log_rows", "log_must_not", "log_intact", "bytes_equal"].contains(member) {
                continue
            }
            switch member {
            case "files_written":
                let files = try FileManager.default.contentsOfDirectory(atPath: folder)
                if files != value.strings { fail("files written: \(files)") }
            // Said in words for readers, or the moment at which the case plays, which is long ago.
            case "note", "clock": break
            default: fail("an unknown member \(member) of expect")
            }
        }
        if stage != .registering { try await checkJournal() }
    }

    // MARK: What the bot did

    private func checkBehaviour(_ member: String, _ value: JSONValue) async throws -> Bool {
        switch member {
        case "runs": checkRuns(value.array ?? [])
        case "runs_per_cut":
            let wanted = value.array ?? []
            // Once for each cut, and once byte by byte.
            let cuts = (file.steps.first?["stanza"]?.string?.utf8.count ?? 0) - 1
            checkRuns((0...cuts).flatMap { _ in wanted })
        case "exit_nonzero":
            let code = try await bot.ending()
            if code != CaseCatalogue.exitCode(file.name) { fail("ended with \(code)") }
        case "closed_by_bot":
            try await wire.readToEnd()
            if !wire.hasEnded { fail("the bot did not close the connection") }
        case "connected":
            let isOnline = try await bot.ask { $0.loop.isOnline }
            if isOnline != value.bool || server.connectionCount != 1 { fail("connected: \(isOnline)") }
        case "max_connects_after":
            if server.connectionCount - 1 > value.int ?? 0 { fail("\(server.connectionCount) connections") }
        case "stderr_contains":
            let text = bot.sink.text.joined(separator: "\n")
            for word in value.strings where !text.contains(word) { fail("nothing logged about \(word): \(text)") }
        case "error_lists_offered_mechanisms": try await checkOffered(value.strings)
        case "errors_logged":
            let count = bot.sink.lines.count { $0.level >= .warning }
            if count != value.int { fail("\(count) warnings and errors: \(bot.sink.text)") }
        default: return false
        }
        return true
    }

    private func checkRuns(_ wanted: [JSONValue]) {
        let expected = wanted.map { run in
            (run["cmd"]?.string ?? "", run["sender"]?.string ?? "", run["args"]?.string, run["argv"]?.strings)
        }
        for run in wanted {
            for member in run.object?.keys.filter({ !["cmd", "sender", "args", "argv"].contains($0) }) ?? []
            where CaseCatalogue.awaited(file.name, member) == nil {
                fail("an unknown member \(member) of a run")
            }
        }
        let runs = bot.standard.runs.list
        // In each conversation in order; conversations run side by side.
        for sender in Set(runs.map(\.sender) + expected.map(\.1)) {
            let found = runs.filter { $0.sender == sender }
            let wanted = expected.filter { $0.1 == sender }
            let isSame =
                found.count == wanted.count
                && zip(found, wanted).allSatisfy { run, wanted in
                    run.command == wanted.0
                        && (wanted.2 == nil || StanzaMatch.isSame(run.arguments, wanted.2))
                        && (wanted.3 == nil || run.words == wanted.3)
                }
            if !isSame { fail("runs of \(sender): \(found) instead of \(wanted)") }
        }
    }

    private func checkOffered(_ variants: [String]) async throws {
        guard let variant, variants.contains(variant) else { return }
        let code = try await bot.ending()
        if code != .loginRefused { fail("ended with \(code)") }
        let text = bot.sink.text.joined(separator: "\n")
        let offered = variant == "b" ? ["X-MADE-UP", "EXTERNAL"] : ["no way to authenticate"]
        for name in offered + ["SCRAM-SHA-256"] where !text.contains(name) { fail("nothing logged about \(name)") }
    }

    // MARK: What the bot sent

    private var sent: ArraySlice<Element> { wire.sent.dropFirst(sentBefore) }

    private var replies: [Element] {
        sent.filter { $0.name == "message" && !CaseCatalogue.isNotice($0.body ?? "") }
    }

    private func checkSent(_ member: String, _ value: JSONValue) -> Bool {
        switch member {
        case "replies": checkReplies(value.array ?? [])
        case "max_replies":
            if replies.count > value.int ?? 0 { fail("\(replies.count) replies: \(replies.map(\.body))") }
        case "replies_valid_xml10":
            for reply in replies where !(reply.body ?? "").unicodeScalars.allSatisfy(Self.isAllowed) {
                fail("a reply that no XML can hold")
            }
            if replies.count != bot.standard.runs.list.count { fail("\(replies.count) replies") }
        case "sent_counts":
            for (type, count) in value.object ?? [:] {
                let found = sent.count { $0.name == "presence" && $0["type"] == type }
                if found != count.int { fail("\(found) times \(type)") }
            }
        case "no_presence_to":
            for stanza in sent where stanza.name == "presence" && value.strings.contains(stanza["to"] ?? "") {
                fail("presence to \(stanza["to"] ?? "")")
            }
        case "accepted":
            let accepted = sent.filter { $0.name == "presence" && $0["type"] == "subscribed" }.compactMap { $0["to"] }
            if accepted.sorted() != value.strings.sorted() { fail("accepted \(accepted)") }
        case "auth_attempts":
            let attempts = wire.sent.count { $0.is("auth", "urn:ietf:params:xml:ns:xmpp-sasl") }
            if attempts != value.int { fail("\(attempts) attempts to log in") }
        case "iq_sent":
            let count = sent.count { $0.name == "iq" }
            if count != value.int { fail("\(count) IQs") }
        case "iq_result_to_mallory":
            let count = sent.count {
                $0.name == "iq" && $0["type"] == "result" && $0["to"]?.hasPrefix("mallory") == true
            }
            if count != value.int { fail("\(count) results to mallory") }
        default: return false
        }
        return true
    }

    private func checkReplies(_ wanted: [JSONValue]) {
        let matches = wanted.map(StanzaMatch.init)
        for member in matches.flatMap(\.unknown) { fail("an unknown member \(member) of a reply") }
        let isSame = replies.count == wanted.count && zip(matches, replies).allSatisfy { $0.fits($1) }
        if !isSame { fail("replies \(replies.map { $0.serialized(in: "jabber:client") })") }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
