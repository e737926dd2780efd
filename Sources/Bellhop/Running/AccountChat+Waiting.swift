internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopXML
internal import BellhopXMPP

/// What may not leave yet: because the bot sends at a pace of its own (`account.sending`), or because the server reads more
/// slowly than the bot writes.
extension AccountChat {
    /// How many messages are read from the journal at once.
    private static let page = 256

    /// Hands a message to the stream if its turn is now, else it waits behind those of its person.
    func sendInTurn(_ message: OutgoingMessage, row: RowID) {
        guard loop.isOnline else { return }
        add(message, row: row)
        sendWaiting()
    }

    /// The stream does not take a message now: too much waits for acknowledgements, or there is no connection, and then its
    /// row in the journal is enough.
    func keepWaiting(_ message: OutgoingMessage, row: RowID) {
        guard loop.isOnline else { return }
        isDirect = false
        add(message, row: row)
    }

    private func add(_ message: OutgoingMessage, row: RowID) {
        guard !waiting.add(SendingQueue.Entry(row: row, message: message)) else { return }
        log.error(
            "message dropped", "A message was lost: the journal is full, and too much waits to be sent.",
            ["to": message.to.bareText])
    }

    /// The server has these, so it may take more.
    func acknowledged(_ rows: [RowID]) {
        proof.acknowledged(rows)
        if !isDirect { sendWaiting() }
    }

    /// Whether the server keeps up with what is sent.
    private var hasRoom: Bool { loop.takesMessages && loop.unsentBytes < Self.unsentLimit }

    /// Sends what waits, as far as pace and server allow; called when something came, a turn ended or a deadline was reached.
    func sendWaiting() {
        while hasRoom && isWaiting {
            if let pace, bucket.nextToken(pace) > loop.now { break }
            if waiting.hasNoTurns, let tail = waiting.takeTail() { load(behind: tail) }
            guard let entry = next ?? takeNext() else { continue }
            next = nil
            if entry.isStored && splits(entry.row, entry.message) { continue }
            if let window, !window.takes(StanzaSize.of(entry.message)) {
                next = entry
                break
            }
            if let pace { _ = bucket.take(pace, now: loop.now) }
            hand(entry.message, row: entry.row)
        }
        if window != nil { askForRoom() }
        settleDirection()
    }

    private var isWaiting: Bool { next != nil || !waiting.isEmpty }

    private func settleDirection() {
        isDirect = pace == nil && window == nil && !isWaiting && loop.unsentBytes < Self.unsentLimit
    }

    private func takeNext() -> SendingQueue.Entry? {
        waiting.next { person, row, limit in
            queued(person, row, limit).map { SendingQueue.Entry(row: $0.row, message: $0.message, isStored: true) }
        }
    }

    /// Sends everything that the journal holds to be sent, in order, or lets it wait.
    func load(behind row: RowID) {
        var last = row
        // Until their turn is over, or acknowledged, what was handed to the stream counts as queued, too.
        let handedOver = underWay
        while waiting.tail == nil {
            let page = queued(nil, last, Self.page)
            for (row, message) in page where !handedOver.contains(row) {
                // Read once more when it is known what the person has.
                if settling.isHeld(message.to.bareText) {
                    settling.readLater()
                    continue
                }
                if splits(row, message) { continue }
                send(message, row: row)
            }
            // A page may be short though more follows: rows that name nobody are left out.
            guard let end = page.last else { return }
            last = end.row
        }
    }

    /// When `sendWaiting` wants to be called; nil while nothing waits for a moment.
    var nextDeadline: Duration? {
        // What the window has no room for waits for an answer, and for no moment.
        guard !isDirect, let pace, next == nil, !waiting.isEmpty, hasRoom else { return nil }
        return bucket.nextToken(pace)
    }

    func keepBack() {
        waiting.removeAll()
        next = nil
        settleDirection()
    }

    /// What waits is left to the journal. Returns how many bytes were on their way, if they are to blame.
    func connectionLost() -> Int? {
        keepBack()
        window?.clear()
        guard let guilty = proof.connectionLost() else { return nil }
        return max(guilty, bytesInFlight)
    }

    /// No more than so much may be on its way to the server from now on.
    func narrow(to bytes: Int) {
        window = SendingWindow(size: bytes)
        settleDirection()
    }

    /// How much the server has neither acknowledged nor shown to have, as far as that is known.
    var bytesInFlight: Int {
        max(loop.unacknowledgedRows.reduce(0) { $0 + size($1) }, proof.largest ?? 0)
    }

    private func askForRoom() {
        guard window?.asks() == true else { return }
        ping { [weak self] _ in
            self?.window?.answered()
            self?.sendWaiting()
        }
    }

    // MARK: What may be too large

    /// A message left that is larger than every server has to take: asks the server something behind it, unless it
    /// acknowledges what it has anyway.
    func noteLarge(_ row: RowID, bytes: Int) {
        proof.add(SizeProof.Large(row: row, bytes: bytes))
        if !loop.acknowledges { askForProof() }
    }

    /// Whether a message that a broken stream took with it may be written to the one that takes its place, as it is.
    func mayBeWrittenAgain(_ message: OutgoingMessage, row: RowID) -> Bool {
        // Where not everything may be on its way at once, it takes its turn.
        if window != nil || splits(row, message) { return false }
        let bytes = StanzaSize.of(message)
        if bytes > StanzaSize.guaranteed { proof.add(SizeProof.Large(row: row, bytes: bytes)) }
        return true
    }

    private func askForProof() {
        guard proof.asks() else { return }
        ping { [weak self] isAnswered in
            guard let self, isAnswered else { return }
            proven(proof.answered())
            askForProof()
        }
    }

    /// The server handles what we send in order: when it answers this, it has all that was sent before.
    private func ping(_ answered: @escaping (Bool) -> Void) {
        loop.request(.get(Element("ping", namespace: Namespace.ping)), to: loop.server) { answered($0 != nil) }
    }
}
