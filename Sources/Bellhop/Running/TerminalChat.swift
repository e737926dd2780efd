internal import BellhopBot
internal import BellhopDiagnostics
internal import BellhopXMPP

/// Gives the desk a mouth at the terminal: what it says is printed.
final class TerminalChat: Chat {
    private let person: JID
    private var shown = ""
    /// Printed once the turn is in the journal.
    private var waiting: [String] = []

    init(person: JID) { self.person = person }

    func send(_ message: OutgoingMessage, row: RowID) {
        guard let body = message.body else { return }
        waiting.append(message.to.bare == person.bare ? body : "(to \(message.to)) \(body)")
    }

    /// Prints what was said in this turn; control characters are made harmless.
    func print() {
        for text in waiting {
            for line in VisibleText.lines(text) { _ = StandardStream.output.write(line + "\n") }
        }
        waiting = []
    }

    func show(_ show: Show, status: String?) {
        note("shows itself as \(show.rawValue)" + (status.map { ": \($0)" } ?? ""))
    }
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
