internal import BellhopDiagnostics
internal import BellhopXMPP

extension Event {
    /// One line for each event: what an operator must see at info, what comes with every contact and message at debug.
    func write(to log: Log) {
        switch self {
        case .connected(let event):
            log.debug("connected", "Connected.", ["host": event.host, "tls": event.tlsVersion ?? "none"])
        case .online(let event):
            log.debug("online", "Online.", ["jid": event.jid.description])
        case .loginFailed(let event):
            log.debug("login failed", "The server refused the login.", ["reason": event.reason])
        case .disconnected(let event):
            let next = event.nextAttempt.map { "in \($0.components.seconds) s" } ?? "none"
            log.debug("disconnected", "The connection is gone.", ["cause": event.cause, "next attempt": next])
        case .registered(let event):
            log.info("registered", "The account was registered.", ["jid": event.jid.bareText])
        case .registrationFailed(let event):
            log.error("registration failed", "The server did not register the account.", ["reason": event.reason])
        case .rosterLoaded(let event):
            log.debug("roster", "The roster is here.", ["contacts": "\(event.items.count)"])
        case .rosterChanged(let event):
            let state = event.item?.subscription.rawValue ?? "removed"
            log.debug("roster changed", "A roster item changed.", ["jid": event.jid.bareText, "subscription": state])
        case .contactOnline(let event):
            log.debug(
                "contact online", "A contact came online.",
                ["jid": event.jid.description, "show": event.availability.show.rawValue])
        case .contactOffline(let event):
            log.debug("contact offline", "A contact went offline.", ["jid": event.jid.description])
        case .contactChanged(let event):
            log.debug(
                "contact changed", "A contact shows something else.",
                ["jid": event.jid.description, "show": event.availability.show.rawValue])
        case .request(let event):
            log.info(
                "request", "A subscription request was decided.",
                ["from": event.jid.bareText, "action": event.action, "by": event.decidedBy])
        case .removed(let event):
            log.info("removed", "Somebody removed the bot.", ["jid": event.jid.bareText])
        case .messageSent(let event):
            log.debug("sent", "A message was sent.", ["to": event.to.bareText, "id": event.id])
        case .messageFailed(let event):
            log.warning(
                "failed", "A message did not arrive.",
                ["to": event.to.bareText, "id": event.id, "reason": event.reason])
        }
    }
}
