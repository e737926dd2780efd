internal import BellhopBot

/// Messages that other programs wait for until they have left, where the bot sends at a pace of its own.
extension BotHouse {
    struct Departure {
        let sent: Sent
        /// Called once; false when the connection went first.
        let left: (Bool) -> Void
    }

    /// Calls back when the message has been handed to the stream: at once, where nothing is in front of it.
    func afterDeparture(of sent: Sent, _ left: @escaping (Bool) -> Void) {
        if chat.isDirect { return left(true) }
        departures.append(Departure(sent: sent, left: left))
    }

    func noteDepartures() {
        let gone = departures.filter { $0.sent.state != .queued }
        guard !gone.isEmpty else { return }
        departures.removeAll { $0.sent.state != .queued }
        for departure in gone { departure.left(true) }
    }

    /// There is no connection any more on which anything could leave.
    func giveUpDepartures() {
        let waiting = departures
        departures = []
        for departure in waiting { departure.left(false) }
    }
}
