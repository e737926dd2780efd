import BellhopXMPP

@testable import BellhopBot

/// A connection that remembers what was asked of it.
final class RecordingChat: Chat {
    /// What was done besides messages, like `subscribed alice@example.test`.
    var stanzas: [String] = []
    var messages: [OutgoingMessage] = []
    var roster: [JID: RosterItem] = [:]

    func send(_ message: OutgoingMessage, row: RowID) { messages.append(message) }
    func signal(_ state: ChatState, to jid: JID, thread: String?) {
        stanzas.append("\(state.rawValue) \(jid) \(thread ?? "-")")
    }
    var underWay: Set<RowID> = []
    func sendQueued() { stanzas.append("send queued") }
    func approve(_ jid: JID) { stanzas.append("subscribed \(jid)") }
    func refuse(_ jid: JID) { stanzas.append("unsubscribed \(jid)") }
    func subscribe(_ jid: JID) {
        stanzas.append("subscribe \(jid)")
        roster[jid, default: RosterItem(jid: jid)].ask = true
    }
    func block(_ jid: JID) { stanzas.append("block \(jid)") }
    func setContact(_ jid: JID, name: String?, groups: [String]) {
        stanzas.append("set \(jid) \(name ?? "-") \(groups)")
    }
    func removeContact(_ jid: JID) { stanzas.append("remove \(jid)") }
    var knowsRoster = true
    func rosterItem(_ jid: JID) -> RosterItem? { roster[jid] }
    var contacts: [Contact] { roster.values.map { Contact(item: $0) } }
    func show(_ availability: Availability) {
        stanzas.append("show \(availability.show.rawValue) \(availability.status ?? "-")")
    }

    func takeStanzas() -> [String] {
        defer { stanzas = [] }
        return stanzas
    }

    func takeBodies() -> [String] {
        defer { messages = [] }
        return messages.map { $0.body ?? "" }
    }
}
