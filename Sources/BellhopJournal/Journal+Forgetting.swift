internal import BellhopSQLite

extension Journal {
    /// Writes what is held, and forgets what is known of a person outside of the rows: what waits of them, and that they were
    /// greeted. The row up to which a `Caretaker` then forgets them in the file; nil when the disk takes nothing now.
    package func beginForgetting(_ person: String, now: Duration) -> RowID? {
        // Else the next login would bring from the archive what is forgotten here.
        do throws(DatabaseError) { try keepArchivePositions() } catch { return nil }
        // A request to the person may stand in it; it is kept again with the next message.
        for index in accounts.indices { accounts[index].stream = .forgotten }
        commit(now: now)
        guard backlog.isEmpty else { return nil }
        for request in requests.pending.values where request.jid == person { _ = requests.remove(request.number) }
        greeted = greeted.filter { $0.jid != person }
        return RowID(next - 1)
    }

    /// Forgets rows that are gone: they are no duplicate of anything, and nothing of them waits.
    package func endForgetting(_ outcome: Forgetting.Outcome) {
        window.remove(outcome.rows)
        for number in outcome.rows {
            open.removeValue(forKey: number)
            transient.remove(number)
        }
        answered = answered.filter { !outcome.rows.contains($0.key.command) && !outcome.rows.contains($0.value.number) }
        requeued.subtract(outcome.rows)
        unsentTexts.removeAll { outcome.rows.contains($0.number) }
        let gone = backlog.changes.contains { outcome.rows.contains($0.number) }
        if gone { backlog.dropChanges(of: outcome.rows) }
    }
}
