internal import BellhopSQLite
package import BellhopXMPP

extension Journal {
    /// Notes a subscription request that waits for a decision; one that waits already keeps its number.
    package func request(from jid: String, account: AccountID, at moment: Timestamp) -> (Request, isNew: Bool) {
        if let request = requests.request(from: jid, account: account) { return (request, false) }
        let request = Request(
            number: requests.next, account: account, jid: jid, state: .pending, firstSeen: moment)
        requests.insert(request)
        backlog.orders.append(.open(request))
        return (request, true)
    }

    /// The requests that wait, by number.
    package var pendingRequests: [Request] { requests.pending.values.sorted { $0.number < $1.number } }

    /// A request that waits; nil when there is none of this number, or it is decided.
    package func pendingRequest(_ number: Int64) -> Request? { requests.pending[number] }

    /// Any request by its number, decided ones included.
    package func request(_ number: Int64) throws(JournalError) -> Request? {
        if let request = requests.pending[number] { return request }
        for case .decide(let request) in backlog.orders.reversed() where request.number == number { return request }
        return try JournalFile.described(path) { () throws(DatabaseError) in try readRequest(number) }
    }

    private func readRequest(_ number: Int64) throws(DatabaseError) -> Request? {
        let rows = try connection.prepare("SELECT \(RequestBook.columns) FROM requests WHERE number = ?")
        rows.bind(number, at: 1)
        return try rows.step() ? Request(rows) : nil
    }

    /// Notes that admins were told of these requests.
    package func noteNotified(_ numbers: [Int64], at moment: Timestamp) {
        for number in numbers where requests.pending[number] != nil {
            requests.noteNotified(number, at: moment)
            backlog.orders.append(.notify(number: number, at: moment.milliseconds))
        }
    }

    /// Decides a request that waits; nil when somebody else has been faster, or there is none.
    @discardableResult
    package func decide(
        _ number: Int64, _ state: Request.State, by admin: String?, rule: String? = nil, at moment: Timestamp
    ) -> Request? {
        guard state != .pending, var request = requests.remove(number) else { return nil }
        request.state = state
        request.decidedAt = moment
        request.decidedBy = admin
        request.rule = rule
        backlog.orders.append(.decide(request))
        return request
    }

    /// Notes a request that a rule decided at once.
    @discardableResult
    package func recordDecision(
        from jid: String, account: AccountID, _ state: Request.State, rule: String, at moment: Timestamp
    ) -> Request {
        if let waiting = requests.request(from: jid, account: account),
            let decided = decide(waiting.number, state, by: nil, rule: rule, at: moment)
        {
            return decided
        }
        let request = Request(
            number: requests.number(), account: account, jid: jid, state: state, firstSeen: moment,
            decidedAt: moment, rule: rule)
        backlog.orders.append(.decide(request))
        return request
    }

    /// Whether this person was not greeted yet; from now on they are. False when there is no room to note it.
    package func greetOnce(_ jid: String, account: AccountID, at moment: Timestamp) throws(JournalError) -> Bool {
        let person = Greeted(account: account, jid: jid)
        guard hasRoomToSpare, !greeted.contains(person) else { return false }
        if try JournalFile.described(path, { () throws(DatabaseError) in try readGreeted(person) }) { return false }
        greeted.insert(person)
        backlog.orders.append(.greet(account: account, jid: jid, at: moment.milliseconds))
        return true
    }

    private func readGreeted(_ person: Greeted) throws(DatabaseError) -> Bool {
        let rows = try connection.prepare(
            "SELECT 1 FROM people WHERE account = ? AND jid = ? AND greeted_at IS NOT NULL")
        rows.bind(person.account.number, at: 1)
        rows.bind(person.jid, at: 2)
        return try rows.step()
    }

    /// A value that some part of the bot keeps under a name.
    package func value(_ key: String) throws(JournalError) -> String? {
        for case .set(key, let value) in backlog.orders.reversed() { return value }
        return try JournalFile.described(path) { () throws(DatabaseError) in try readValue(key) }
    }

    private func readValue(_ key: String) throws(DatabaseError) -> String? {
        let rows = try connection.prepare("SELECT value FROM meta WHERE key = ?")
        rows.bind("bot." + key, at: 1)
        return try rows.step() ? rows.text(0) : nil
    }

    /// Keeps a value under a name; nil forgets it.
    package func set(_ key: String, _ value: String?) {
        backlog.orders.append(.set(key: key, value: value))
    }

    func writeOrders() throws(DatabaseError) {
        let put = try connection.prepare(
            "INSERT OR REPLACE INTO requests (\(RequestBook.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for order in backlog.orders {
            switch order {
            case .open(let request), .decide(let request): try write(request, put)
            case .notify(let number, let moment):
                let statement = try connection.prepare("UPDATE requests SET notified_at = ?2 WHERE number = ?1")
                statement.bind(number, at: 1)
                statement.bind(moment, at: 2)
                try statement.run()
            case .greet(let account, let jid, let moment):
                let statement = try connection.prepare("INSERT OR REPLACE INTO people VALUES (?, ?, ?)")
                statement.bind(account.number, at: 1)
                statement.bind(jid, at: 2)
                statement.bind(moment, at: 3)
                try statement.run()
            case .set(let key, let value):
                let statement = try connection.prepare(
                    value == nil ? "DELETE FROM meta WHERE key = ?1" : "INSERT OR REPLACE INTO meta VALUES (?1, ?2)")
                statement.bind("bot." + key, at: 1)
                statement.bind(value, at: 2)
                try statement.run()
            case .audit(let record): try write(record)
            case .archive(let position, let account, let newest): try write(position, account, newest: newest)
            case .closeAudit(let row, let outcome, let code, let duration):
                try closeAudit(row, outcome, code, duration)
            case .enterOutbox(let row, let account, let jid, let failedAt):
                try enterOutbox(row, account, jid, failedAt)
            case .leaveOutbox(let row): try leaveOutbox(row)
            case .login(let record, let account): try write(record, account: account)
            case .tokens(let records, let account): try write(records, account: account)
            case .blank(let row):
                statements.blank.bind(row, at: 1)
                try statements.blank.run()
            }
        }
    }

    private func write(_ request: Request, _ put: Statement) throws(DatabaseError) {
        put.bind(request.number, at: 1)
        put.bind(request.account.number, at: 2)
        put.bind(request.jid, at: 3)
        put.bind(request.state.rawValue, at: 4)
        put.bind(request.firstSeen.milliseconds, at: 5)
        put.bind(request.notifiedAt?.milliseconds, at: 6)
        put.bind(request.decidedAt?.milliseconds, at: 7)
        put.bind(request.decidedBy, at: 8)
        put.bind(request.rule, at: 9)
        try put.run()
    }
}
