import BellhopDiagnostics
import BellhopXML
import BellhopXMPP

@testable import BellhopTestServer

extension Discovery {
    static let archive = Discovery(account: ["urn:xmpp:mam:2"])
}

/// The server's archive, played by a script.
extension Wire {
    /// A question to the archive, as a test wants to read it.
    struct ArchiveQuestion {
        let iq: Element
        let id: String
        /// `with` and `start`.
        let form: [String: String]
        /// `max`, `after` and `before`.
        let page: [String: String]
    }

    func archiveQuestion(with peer: String? = nil) async throws -> ArchiveQuestion {
        let iq = try await expect("a question to the archive") {
            $0.name == "iq" && $0.child("query", "urn:xmpp:mam:2") != nil
                && (peer == nil || Self.form($0.child("query", "urn:xmpp:mam:2"))["with"] == peer)
        }
        let query = iq.child("query", "urn:xmpp:mam:2")
        var page: [String: String] = [:]
        for item in query?.child("set", "http://jabber.org/protocol/rsm")?.children ?? [] {
            page[item.name] = item.text
        }
        return ArchiveQuestion(iq: iq, id: query?["queryid"] ?? "", form: Self.form(query), page: page)
    }

    private static func form(_ query: Element?) -> [String: String] {
        var form: [String: String] = [:]
        for field in query?.child("x", "jabber:x:data")?.children ?? [] {
            form[field["var"] ?? ""] = field.child("value", "jabber:x:data")?.text
        }
        return form
    }

    /// Sends a result of this question, filed so many seconds ago.
    func archived(
        _ id: String, of question: ArchiveQuestion, age: Int, _ message: String, from: String? = nil
    ) {
        connection.send(Self.archived(id, of: question, age: age, message, from: from))
    }

    static func archived(
        _ id: String, of question: ArchiveQuestion, age: Int, _ message: String, from: String? = nil
    ) -> String {
        let stamp = Timestamp.ago(seconds: age)
        let inner = message.replacing("<message ", with: "<message xmlns='jabber:client' ")
        return "<message to='\(BotConfiguration.bound)'\(from.map { " from='\($0)'" } ?? "")>"
            + "<result xmlns='urn:xmpp:mam:2' queryid='\(question.id)' id='\(id)'><forwarded xmlns='urn:xmpp:forward:0'>"
            + "<delay xmlns='urn:xmpp:delay' stamp='\(stamp)'/>\(inner)</forwarded></result></message>"
    }

    /// Ends a page of the archive.
    func endPage(_ question: ArchiveQuestion, last: String?, complete: Bool = false) {
        connection.reply(
            to: question.iq,
            with: "<fin xmlns='urn:xmpp:mam:2'\(complete ? " complete='true'" : "")>"
                + "<set xmlns='http://jabber.org/protocol/rsm'>\(last.map { "<last>\($0)</last>" } ?? "")</set></fin>")
    }

    /// Says that there is nothing (more).
    func endArchive() async throws { endPage(try await archiveQuestion(), last: nil, complete: true) }
}

extension Timestamp {
    static func ago(seconds: Int) -> Timestamp {
        Timestamp(milliseconds: WallClock.milliseconds() - Int64(seconds) * 1_000)
    }
}
