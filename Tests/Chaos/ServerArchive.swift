import BellhopTransport
import BellhopXML
import BellhopXMPP
import EndToEndSupport

/// What the server itself has of the bot's conversations at the end: nobody can log what not even the server kept.
struct ServerArchive: Equatable, Sendable {
    /// By the message's own id, the archive's ids, in the archive's order.
    private(set) var places: [String: [String]] = [:]

    init(places: [String: [String]] = [:]) { self.places = places }

    /// Reads all of it with the bot's own password.
    static func read(of bot: TestBot, at server: RealServer) async throws -> ServerArchive {
        let (results, result) = AsyncThrowingStream<ServerArchive, any Error>.makeStream()
        try LoopThread.start("archive") {
            do {
                result.yield(try ServerArchive(of: bot, at: server))
                result.finish()
            } catch {
                result.finish(throwing: error)
            }
        }
        for try await archive in results { return archive }
        throw RawStreamFault(description: "the bot's archive was not read")
    }

    private init(of bot: TestBot, at server: RealServer) throws {
        let name = bot.jid.split(separator: "@").first.map(String.init) ?? bot.jid
        let login = Login(name: name, password: TestBot.password, resource: "reader", registers: false)
        let stream = try login.authenticate(at: server, wakeup: Wakeup())
        try login.bind(on: stream)
        var last: String?
        var page = 0
        while true {
            page += 1
            try ask("page-\(page)", behind: last, on: stream)
            guard let next = try take("page-\(page)", from: stream) else { break }
            last = next
        }
        try stream.write("</stream:stream>")
        stream.finish()
    }

    private func ask(_ id: String, behind last: String?, on stream: RawStream) throws {
        let behind = last.map { Element("after", namespace: Self.resultSets).with(text: $0).serialized() } ?? ""
        try stream.write(
            """
            <iq type='set' id='\(id)'><query xmlns='\(Namespace.messageArchive)' queryid='\(id)'>\
            <set xmlns='\(Self.resultSets)'><max>50</max>\(behind)</set></query></iq>
            """)
    }

    /// Takes a page in; where the next begins, nil behind the last.
    private mutating func take(_ page: String, from stream: RawStream) throws -> String? {
        while true {
            let element = try stream.element()
            if element["id"] == page {
                guard let fin = element.child("fin", Namespace.messageArchive) else {
                    throw RawStreamFault(description: "the bot's archive is not read: \(element.serialized())")
                }
                guard fin["complete"] != "true" else { return nil }
                return fin.child("set", Self.resultSets)?.child("last", Self.resultSets)?.text
            }
            guard let result = element.child("result", Namespace.messageArchive), let place = result["id"],
                let message = result.child("forwarded", Namespace.forward)?.child("message", Namespace.client),
                let id = message["id"]
            else { continue }
            places[id, default: []].append(place)
        }
    }

    func has(_ id: String?) -> Bool { id.map { places[$0] != nil } ?? false }

    private static var resultSets: String { "http://jabber.org/protocol/rsm" }
}
