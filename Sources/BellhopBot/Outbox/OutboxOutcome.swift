package import BellhopXMPP

/// What is to become of a message.
package enum OutboxVerb: String, Sendable, CaseIterable {
    /// It is sent again, under its id.
    case retry
    /// It is given up.
    case drop
}

/// Which messages are meant.
package enum OutboxChoice: Equatable, Sendable {
    case number(RowID)
    /// All that came back.
    case all
}

/// Why nothing became of it.
package enum OutboxRefusal: String, Error, Sendable, CaseIterable {
    /// No message of ours has this number.
    case unknown
    /// It waits to be sent already.
    case waiting
    /// It is on its way.
    case leaving
    /// It was sent, and has not come back.
    case sent
    /// It was given up before.
    case dropped
    /// Its text is not kept, or not all of it.
    case notWhole = "not-whole"
}

/// What became of the messages that were meant.
package struct OutboxOutcome: Equatable, Sendable {
    /// A message that was done with as was asked.
    package struct Done: Equatable, Sendable {
        package var row: RowID
        package var to: JID

        package init(row: RowID, to: JID) {
            self.row = row
            self.to = to
        }
    }

    /// A message that stays as it was.
    package struct Refused: Equatable, Sendable {
        package var row: RowID
        package var why: OutboxRefusal

        package init(row: RowID, why: OutboxRefusal) {
            self.row = row
            self.why = why
        }
    }

    package var verb: OutboxVerb
    package var done: [Done]
    package var refused: [Refused]
    /// How many were left for another time, because they were too many for one.
    package var more: Int

    package init(verb: OutboxVerb, done: [Done] = [], refused: [Refused] = [], more: Int = 0) {
        self.verb = verb
        self.done = done
        self.refused = refused
        self.more = more
    }
}
