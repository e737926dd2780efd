internal import BellhopSQLite
internal import BellhopXMPP

/// The subscription requests that wait for somebody, in memory because each stanza asks about them.
struct RequestBook {
    private(set) var pending: [Int64: Request] = [:]
    private var numbers: [Asker: Int64] = [:]
    private(set) var next: Int64 = 1

    private struct Asker: Hashable {
        var account: AccountID
        var jid: String
    }

    static let columns = """
        number, account, jid, state, first_seen, notified_at, decided_at, decided_by, rule
        """

    init() {}

    init(_ connection: Connection) throws(DatabaseError) {
        next = (try connection.integer("SELECT max(number) FROM requests") ?? 0) + 1
        let rows = try connection.prepare("SELECT \(Self.columns) FROM requests WHERE state = 0")
        while try rows.step() { insert(Request(rows)) }
    }

    func request(from jid: String, account: AccountID) -> Request? {
        numbers[Asker(account: account, jid: jid)].flatMap { pending[$0] }
    }

    mutating func insert(_ request: Request) {
        pending[request.number] = request
        numbers[Asker(account: request.account, jid: request.jid)] = request.number
        next = max(next, request.number + 1)
    }

    /// Gives out a number for a request that is decided at once.
    mutating func number() -> Int64 {
        defer { next += 1 }
        return next
    }

    mutating func noteNotified(_ number: Int64, at moment: Timestamp) {
        pending[number]?.notifiedAt = moment
    }

    mutating func remove(_ number: Int64) -> Request? {
        guard let request = pending.removeValue(forKey: number) else { return nil }
        numbers.removeValue(forKey: Asker(account: request.account, jid: request.jid))
        return request
    }
}

extension Request {
    init(_ statement: Statement) {
        number = statement.integer(0)
        account = AccountID(statement.integer(1))
        jid = statement.text(2) ?? ""
        state = State(rawValue: statement.integer(3)) ?? .ignored
        firstSeen = Timestamp(milliseconds: statement.integer(4))
        notifiedAt = statement.optionalInteger(5).map { Timestamp(milliseconds: $0) }
        decidedAt = statement.optionalInteger(6).map { Timestamp(milliseconds: $0) }
        decidedBy = statement.text(7)
        rule = statement.text(8)
    }
}
