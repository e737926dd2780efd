package import BellhopDiagnostics
package import BellhopTransport
package import BellhopXMPP
internal import Synchronization

/// Takes requests of other programs over a Unix socket beside the journal, one a connection, and hands them to the bot.
///
/// A thread waits for connections and sleeps while nobody comes; each connection has a thread of its own, so that one
/// who says nothing keeps nobody else waiting. Where all places are taken, the oldest who has asked nothing yet makes room.
package final class ControlServer: Sendable {
    /// Does what is asked, on whatever thread it likes, and calls back once.
    package typealias Performer = @Sendable (ControlCall, @escaping @Sendable (ControlAnswer) -> Void) -> Void

    package struct Limits: Sendable {
        /// The longest request, in bytes.
        package var requestBytes = 1_048_576
        /// How long it may take to come, and the answer to be fetched.
        package var transfer: Duration = .seconds(5)
        /// How often whoever waits for a long answer is told, by an empty line, that it is being worked on.
        package var sign: Duration = .seconds(15)
        /// How long the bot may take; nil for what the request needs, which is longer than its server may take.
        package var patience: Duration?
        /// How many are served at once; others are told that the bot is busy.
        package var connections = 8

        package init() {}
    }

    private let listener: LocalListener
    private let account: JID
    private let limits: Limits
    private let log: Log
    private let perform: Performer
    private let places = Mutex(Places())

    /// Who is served, oldest first.
    private struct Places {
        struct Place {
            let number: Int
            let connection: LocalConnection
            /// What is being worked on; nil before the whole request is here.
            var request: ControlRequest?
            /// Whether nobody else can have the place before the answer is fetched.
            var hasAsked = false

            /// Whether nothing of it is being worked on: a question that its thread is just about to read counts.
            var isIdle: Bool { !hasAsked && !connection.hasInput }
        }

        var taken: [Place] = []
        var next = 0
    }

    /// The socket that belongs to a journal.
    package static func path(journal: String) -> String { journal + "-control" }

    /// Listens at the path from now on, until `stop`, and does what is meant for the account's bot. Whoever calls it holds the
    /// lock of the journal, so that a socket that is there is a dead one's.
    package init(
        path: String, account: JID, limits: Limits = Limits(), log: Log, perform: @escaping Performer
    ) throws(LocalFault) {
        listener = try LocalListener(path: path)
        self.account = account
        self.limits = limits
        self.log = log
        self.perform = perform
        do throws(TransportError) {
            try LoopThread.start("control") { [self] in
                while let connection = listener.accept() { take(connection) }
            }
        } catch {
            listener.close()
            throw .system(call: "pthread_create", code: 0)
        }
    }

    /// Takes no more requests, and removes the socket.
    package func stop() { listener.close() }

    /// Who may ask: the user that the bot runs as, and root, who could do everything anyway.
    package static func admits(peer: UInt32?, own: UInt32) -> Bool { peer == own || peer == 0 }

    private func take(_ connection: LocalConnection) {
        let peer = connection.peer
        guard Self.admits(peer: peer, own: LocalConnection.ownUser) else {
            return log.warning(
                "control", "Another user's program was turned away", ["user": peer.map { "\($0)" } ?? "unknown"])
        }
        guard let number = place(for: connection) else { return write(.failed(.busy), to: connection) }
        do throws(TransportError) {
            try LoopThread.start("control") { [self] in
                serve(connection, number)
                leave(number)
            }
        } catch {
            leave(number)
            write(.failed(.busy), to: connection)
        }
    }

    /// A place of its own; nil where all are taken by those who have asked.
    private func place(for connection: LocalConnection) -> Int? {
        let (number, idle) = places.withLock { places -> (Int?, LocalConnection?) in
            var idle: LocalConnection?
            if places.taken.count >= limits.connections {
                guard let index = places.taken.firstIndex(where: \.isIdle) else { return (nil, nil) }
                idle = places.taken.remove(at: index).connection
            }
            places.next += 1
            places.taken.append(Places.Place(number: places.next, connection: connection))
            return (places.next, idle)
        }
        if let idle {
            log.debug("control", "A connection that had asked nothing made room for another")
            write(.failed(.busy), to: idle)
            idle.hangUp()
        }
        return number
    }

    /// Keeps the place until the answer is fetched; false where it is another's by now, who was told so.
    private func keep(_ number: Int) -> Bool {
        places.withLock { places in
            guard let index = places.taken.firstIndex(where: { $0.number == number }) else { return false }
            places.taken[index].hasAsked = true
            return true
        }
    }

    /// Whether the request may be worked on: those that take long must leave places for those that do not.
    private func admit(_ request: ControlRequest, _ number: Int) -> Bool {
        places.withLock { places in
            let others = places.taken.count {
                $0.number != number && ($0.request.map { $0.length >= request.length } ?? false)
            }
            guard others < request.share(of: limits.connections),
                let index = places.taken.firstIndex(where: { $0.number == number })
            else { return false }
            places.taken[index].request = request
            return true
        }
    }

    private func leave(_ number: Int) { places.withLock { $0.taken.removeAll { $0.number == number } } }

    private func serve(_ connection: LocalConnection, _ number: Int) {
        do throws(LocalFault) {
            let line = try connection.readLine(
                limit: limits.requestBytes, until: MonotonicClock.now() + limits.transfer)
            guard keep(number) else { return }
            // The line may have waited for us longer than who wrote it, as in a process that was stopped meanwhile.
            guard connection.isThere else {
                return log.info("control", "A request was not carried out, since nobody waits for it any more")
            }
            if let answer = answer(line, connection, number) { write(answer, to: connection) }
        } catch {
            log.debug("control", "A request was not read", ["reason": "\(error)"])
            if keep(number) { write(.failed(.notUnderstood("\(error)")), to: connection) }
        }
    }

    /// Nil when nobody is there any more to hear it.
    private func answer(_ line: [UInt8], _ connection: LocalConnection, _ number: Int) -> ControlAnswer? {
        do throws(ControlFailure) {
            let addressed = try AddressedRequest(json: line)
            if let refusal = addressed.refusal(by: account) { throw refusal }
            guard admit(addressed.request, number) else { throw .busy }
            return ask(addressed.request, connection)
        } catch {
            return .failed(error)
        }
    }

    /// Waits for the bot on this thread, as long as the other end waits, too.
    private func ask(_ request: ControlRequest, _ connection: LocalConnection) -> ControlAnswer? {
        guard let wakeup = try? Wakeup() else { return .failed(.busy) }
        let answers = Inbox<ControlAnswer>(wakeup: wakeup)
        let poller = Poller(wakeup: wakeup)
        let deadline = MonotonicClock.now() + (limits.patience ?? request.patience)
        var sign = MonotonicClock.now() + limits.sign
        perform(ControlCall(request) { connection.isThere }) { answers.post($0) }
        while true {
            if let answer = answers.take().first { return answer }
            let now = MonotonicClock.now()
            guard now < deadline else { return .failed(.noAnswer) }
            if now >= sign {
                sign = now + limits.sign
                guard say("\n", to: connection) else { return nil }
            }
            if poller.wait(whileThere: connection, timeout: min(deadline, sign) - now) { return nil }
        }
    }

    private func write(_ answer: ControlAnswer, to connection: LocalConnection) {
        _ = say(answer.json + "\n", to: connection)
    }

    private func say(_ text: String, to connection: LocalConnection) -> Bool {
        do throws(LocalFault) {
            try connection.write(Array(text.utf8), until: MonotonicClock.now() + limits.transfer)
            return true
        } catch {
            log.debug("control", "An answer was not fetched", ["reason": "\(error)"])
            return false
        }
    }
}
