internal import BellhopXML

/// What the server is told to do, well or ill.
extension SimulatedServer {
    /// The next count of handled stanzas that is told is a wrong one; nil takes that back.
    package mutating func lie(_ miscount: Miscount?) { disorder.miscount = miscount }

    /// The next message to an account reaches it twice.
    package mutating func duplicateNext() { disorder.duplicateNext() }

    /// The next stanzas to clients go out in another order: once there are so many, or after a second.
    package mutating func reorderNext(_ count: Int) { disorder.reorderNext(count) }

    /// Ends the stream and the connection, as a server does when it shuts down.
    package mutating func close(_ connection: Int, at moment: SimulatedMoment) {
        self.moment = moment
        guard let phase = streams[connection]?.phase else { return }
        switch phase {
        case .negotiating, .authenticating, .bound: shut(connection)
        case .opening, .securing, .ended: drop(connection)
        }
    }

    /// Ends as a process and begins anew: no session outlives it; accounts, rosters, archives and what is kept do.
    package mutating func restart(at moment: SimulatedMoment) {
        self.moment = moment
        for connection in streams.keys.sorted() { drop(connection) }
        while !sessions.isEmpty { destroy(0) }
        expired = [:]
    }

    /// Gives up the sessions that wait to be taken up again, as if their time were over.
    package mutating func expireSessions(at moment: SimulatedMoment) {
        self.moment = moment
        while let index = sessions.firstIndex(where: { $0.connection == nil }) {
            counts.expiredSessions += 1
            destroy(index)
        }
    }

    /// Whether stanzas to clients wait to be put into another order.
    package var isReordering: Bool { disorder.isReordering }

    /// Whether a client of this account is connected and has shown its presence.
    package func isOnline(_ account: String) -> Bool {
        sessions.contains { $0.account == account && $0.connection != nil && $0.presence != nil }
    }

    /// How many sessions of this account wait to be taken up again.
    package func hibernatingCount(of account: String) -> Int {
        sessions.count { $0.account == account && $0.connection == nil }
    }

    /// The connections that carry a stream, oldest first.
    package var openConnections: [Int] {
        streams.keys.filter {
            if case .ended? = streams[$0]?.phase { false } else { true }
        }.sorted()
    }

    /// What the clients of this account have not acknowledged, oldest first; ids of messages.
    package func unacknowledgedIDs(of account: String) -> [String] {
        sessions.filter { $0.account == account }.flatMap { session in
            session.management?.unacknowledged.compactMap { $0.stanza["id"] } ?? []
        }
    }
}
