internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// Gives the desk a mouth at the terminal: what it says is printed.
final class TerminalChat: Chat {
    /// Who sits at the keyboard; what the bot says to others is printed with their address.
    var person: JID
    /// Printed once the turn is in the journal.
    private var waiting: [String] = []
    /// The rows of this turn.
    private(set) var leaving: [RowID] = []
    private let queued: () -> [(row: RowID, message: OutgoingMessage)]

    /// `queued` reads what the journal holds to be said, in order.
    init(person: JID, queued: @escaping () -> [(row: RowID, message: OutgoingMessage)]) {
        self.person = person
        self.queued = queued
    }

    var underWay: Set<RowID> { Set(leaving) }

    func sendQueued() {
        let said = Set(leaving)
        for message in queued() where !said.contains(message.row) { send(message.message, row: message.row) }
        leaving.sort()
    }

    func send(_ message: OutgoingMessage, row: RowID) {
        leaving.append(row)
        guard let body = message.body else { return }
        waiting.append(message.to.bare == person.bare ? body : "(to \(message.to)) \(body)")
    }

    /// Prints what was said in this turn; control characters are made harmless.
    func print() {
        for text in waiting {
            for line in VisibleText.lines(text) { _ = StandardStream.output.write(line + "\n") }
        }
        waiting = []
        leaving = []
    }

    func show(_ availability: Availability) {
        note("shows itself as \(availability.show.rawValue)" + (availability.status.map { ": \($0)" } ?? ""))
    }
    /// The prompt that is missing says as much.
    func signal(_ state: ChatState, to jid: JID, thread: String?) {}
    func approve(_ jid: JID) { note("lets \(jid) see its presence") }
    func refuse(_ jid: JID) { note("refuses the request of \(jid)") }
    func subscribe(_ jid: JID) { note("asks to see \(jid)") }
    func block(_ jid: JID) { note("blocks \(jid)") }
    func setContact(_ jid: JID, name: String?, groups: [String]) { note("puts \(jid) into its roster") }
    func removeContact(_ jid: JID) { note("takes \(jid) out of its roster") }
    var knowsRoster: Bool { true }
    func rosterItem(_ jid: JID) -> RosterItem? { nil }
    var contacts: [Contact] { [] }

    private func note(_ text: String) { waiting.append("(the bot \(text))") }
}
