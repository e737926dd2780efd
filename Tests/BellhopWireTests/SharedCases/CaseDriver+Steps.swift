import BellhopXML
import BellhopXMPP

@testable import Bellhop
@testable import BellhopTestServer

/// What each step does.
extension CaseDriver {
    func play(_ step: [String: JSONValue]) async throws {
        var step = step
        // Comments, and how broken the XML is meant to be, are for readers.
        for comment in ["note", "intentionally_invalid", "same_resource"] { step[comment] = nil }
        if let expected = step.removeValue(forKey: "expect") {
            try await expect(expected, within: step.removeValue(forKey: "within_ms"))
        }
        if let xml = step.removeValue(forKey: "server")?.string { connection.send(filled(xml)) }
        if let text = step.removeValue(forKey: "bytes_utf8") {
            try await send(text.strings.map { Array($0.utf8) })
        }
        if let hex = step.removeValue(forKey: "bytes_hex") { try await send(hex.strings.map(Self.bytes)) }
        if let stanza = step.removeValue(forKey: "stanza")?.string {
            step["byte_length"] = nil
            if step.removeValue(forKey: "cut_at_every_byte")?.bool == true { try await cut(stanza) }
        }
        if let time = step.removeValue(forKey: "quiet_ms")?.int { try await quiet(time) }
        if let time = step.removeValue(forKey: "wait_ms")?.int {
            bot.standard.clock.advance(by: .milliseconds(time))
            try await wire.settle(bot)
        }
        if let forbidden = step.removeValue(forKey: "not_sent")?.array {
            step["for_ms"] = nil
            try await notSent(forbidden)
        }
        if step.removeValue(forKey: "no_connect_ms") != nil { _ = try await bot.ending() }
        switch step.removeValue(forKey: "tcp")?.string {
        case "close": connection.close()
        case "drop": connection.drop()
        case nil: break
        case let other?: fail("an unknown tcp step \(other)")
        }
        if let order = step.removeValue(forKey: "operator")?.string { try await operate(order) }
        if let peer = step.removeValue(forKey: "peer_auto_reply"), let jid = peer["jid"]?.string,
            let body = peer["body"]?.string
        {
            wire.autoReply = (jid, body)
        }
        if let words = step.removeValue(forKey: "cli")?.strings {
            if CaseCatalogue.awaited(file.name, "cli") == nil { fail("an unknown command line \(words)") }
        }
        for member in step.keys { fail("an unknown step \(member)") }
    }

    // MARK: What the server sends

    /// The text with the ids that the bot made up.
    private func filled(_ xml: String) -> String {
        var xml = xml
        for (name, stanza) in saved { xml = xml.replacing("$\(name).id", with: stanza["id"] ?? "") }
        // This bot knows the mechanism that the case takes for one that nobody knows.
        if file.name == "C011" { xml = xml.replacing("SCRAM-SHA-512", with: "X-MADE-UP") }
        return xml.replacing("$id", with: lastRequest)
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = hex[...]
        while !rest.isEmpty {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// Sends segments so that the bot reads each of them by itself.
    private func send(_ segments: [[UInt8]]) async throws {
        guard segments.count > 1 else { return connection.sendBytes(segments) }
        for segment in segments {
            connection.sendBytes([segment])
            try await connection.handedOver()
            // What the kernel has when the loop answers is read in that turn; a second answer comes from a later one.
            for _ in 0..<2 { _ = try await bot.ask { _ in true } }
        }
    }

    /// The stanza once for each place where it can be cut in two.
    private func cut(_ stanza: String) async throws {
        for place in 1..<stanza.utf8.count {
            let bytes = Array(stanza.replacing("id='us1'", with: "id='cut-\(place)'").utf8)
            try await send([Array(bytes[..<place]), Array(bytes[place...])])
        }
        try await wire.settle(bot)
    }

    // MARK: What the bot must do, or must not do

    private func expect(_ wanted: JSONValue, within limit: JSONValue?) async throws {
        bot.standard.clock.advance(by: .milliseconds(limit?.int ?? 0))
        if wanted["name"]?.string == "stream:stream" {
            try await openStream()
            return
        }
        let match = StanzaMatch(wanted)
        for member in match.unknown { fail("an unknown member \(member) of expect") }
        let stanza = try await wire.expect("\(wanted)") { match.fits($0) }
        if stanza.name == "iq" { lastRequest = stanza["id"] ?? "" }
        if let name = wanted["save"]?.string { saved[name] = stanza }
        if let count = wanted["count"]?.int {
            try await wire.settle(bot)
            let found = wire.sent.dropFirst(sentBefore).count { match.fits($0) }
            if found != count { fail("\(found) times instead of \(count): \(wanted)") }
        }
    }

    private func quiet(_ time: Int) async throws {
        bot.standard.clock.advance(by: .milliseconds(time))
        try await wire.settle(bot)
        let accepted = file.expect["accepted"]?.strings ?? []
        for stanza in wire.unasked where !CaseCatalogue.mayBeSaid(file.name, stanza.body ?? "") {
            if stanza["type"] == "subscribed", accepted.contains(stanza["to"] ?? "") { continue }
            fail("not quiet: \(stanza.serialized(in: "jabber:client"))")
        }
    }

    /// The bot has come to an end, and sent none of these before.
    private func notSent(_ forbidden: [JSONValue]) async throws {
        if stage == .online {
            try await wire.settle(bot)
        } else {
            _ = try await bot.ending()
            try await wire.readToEnd()
        }
        for wanted in forbidden {
            let match = StanzaMatch(wanted)
            for stanza in wire.sent where match.fits(stanza) { fail("sent \(stanza.serialized(in: "jabber:client"))") }
        }
    }

    // MARK: The operator

    private func operate(_ order: String) async throws {
        let words = order.split(separator: " ").map(String.init)
        guard words.count == 2, words[0] == "approve", let jid = try? JID(words[1]) else {
            return fail("an unknown order \(order)")
        }
        let answered = try await bot.ask { house in
            house.desk.answerFromOutside(.person(jid), accepting: true, by: "an operator", at: house.moment).count
        }
        if answered != 1 { fail("\(answered) requests of \(jid) waited") }
    }
}
