package import BellhopDiagnostics
package import BellhopTransport
internal import Synchronization

/// Takes requests of other programs over a Unix socket beside the journal, one a connection, and hands them to the bot.
///
/// A thread waits for connections and sleeps while nobody comes; each connection has a thread of its own, so that one
/// who says nothing keeps nobody else waiting.
package final class ControlServer: Sendable {
    /// Does what is asked, on whatever thread it likes, and calls back once.
    package typealias Performer = @Sendable (ControlRequest, @escaping @Sendable (ControlAnswer) -> Void) -> Void

    package struct Limits: Sendable {
        /// The longest request, in bytes.
        package var requestBytes = 1_048_576
        /// How long it may take to come, and the answer to be fetched.
        package var transfer: Duration = .seconds(5)
        /// How long the bot may take; nil for what the request needs, which is longer than its server may take.
        package var patience: Duration?
        /// How many are served at once; others are told that the bot is busy.
        package var connections = 8

        package init() {}
    }

    private let listener: LocalListener
    private let limits: Limits
    private let log: Log
    private let perform: Performer
    private let serving = Mutex(0)

    /// The socket that belongs to a journal.
    package static func path(journal: String) -> String { journal + "-control" }

    /// Listens at the path from now on, until `stop`. Whoever calls it holds the lock of the journal, so that a socket
    /// that is there is a dead one's.
    package init(
        path: String, limits: Limits = Limits(), log: Log, perform: @escaping Performer
    ) throws(LocalFault) {
        listener = try LocalListener(path: path)
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
        let isRoom = serving.withLock { count in
            guard count < limits.connections else { return false }
            count += 1
            return true
        }
        guard isRoom else { return write(.failed(.busy), to: connection) }
        do throws(TransportError) {
            try LoopThread.start("control") { [self] in
                serve(connection)
                serving.withLock { $0 -= 1 }
            }
        } catch {
            serving.withLock { $0 -= 1 }
            write(.failed(.busy), to: connection)
        }
    }

    private func serve(_ connection: LocalConnection) {
        do throws(LocalFault) {
            let line = try connection.readLine(
                limit: limits.requestBytes, until: MonotonicClock.now() + limits.transfer)
            write(answer(line), to: connection)
        } catch {
            log.debug("control", "A request was not read", ["reason": "\(error)"])
            write(.failed(.notUnderstood("\(error)")), to: connection)
        }
    }

    private func answer(_ line: [UInt8]) -> ControlAnswer {
        do throws(ControlFailure) {
            return ask(try ControlRequest(json: line))
        } catch {
            return .failed(error)
        }
    }

    /// Waits for the bot on this thread.
    private func ask(_ request: ControlRequest) -> ControlAnswer {
        guard let wakeup = try? Wakeup() else { return .failed(.busy) }
        let answers = Inbox<ControlAnswer>(wakeup: wakeup)
        let poller = Poller(wakeup: wakeup)
        let deadline = MonotonicClock.now() + (limits.patience ?? request.patience)
        perform(request) { answers.post($0) }
        while true {
            if let answer = answers.take().first { return answer }
            let left = deadline - MonotonicClock.now()
            guard left > .zero else { return .failed(.noAnswer) }
            _ = poller.wait(socket: nil, reading: false, writing: false, timeout: left)
        }
    }

    private func write(_ answer: ControlAnswer, to connection: LocalConnection) {
        do throws(LocalFault) {
            try connection.write(Array((answer.json + "\n").utf8), until: MonotonicClock.now() + limits.transfer)
        } catch {
            log.debug("control", "An answer was not fetched", ["reason": "\(error)"])
        }
    }
}
