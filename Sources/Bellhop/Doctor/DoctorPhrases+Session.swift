internal import BellhopClient
internal import BellhopXMPP

/// The words about the login, and what the server has for the session.
extension DoctorPhrases {
    static func sessionWords(_ fact: DoctorFact) -> (what: String, advice: String?) {
        switch fact {
        case .loggedIn(let login, let time): (words(login, time), nil)
        case .loginFailed(let ending): (ErrandPhrases.reason(ending), nil)
        case .loginSkipped(.noPlace): ("nobody logged in, since no place leads to the server", nil)
        case .loginSkipped(.noSecret): ("nobody logged in, since a secret of the configuration is out of reach", nil)
        case .loginSkipped(.machine(let reason)):
            ("nobody logged in: the machine does not give what is needed: \(reason)", nil)
        case .sessionSkipped:
            ("there was no session, so what the server has for one was not looked at", nil)
        case .roster(let contacts?): ("the roster has \(contacts == 1 ? "1 contact" : "\(contacts) contacts")", nil)
        case .roster(nil):
            (
                "the server did not send the roster, so the bot knows no contacts and no groups",
                "look into the server's log"
            )
        case .ping(let time?): ("the server answers a ping in \(milliseconds(time))", nil)
        case .ping(nil):
            (
                "the server did not answer a ping, so a silent line is taken for dead after account.ping.timeout",
                "let the server answer pings (XEP-0199), or set account.ping.every to off"
            )
        case .stream(let management): stream(management)
        case .archive(true?): ("the server keeps an archive for the account", nil)
        case .archive(false?):
            (
                "the server keeps no archive for the account: what was said while the bot was away may be lost, and a "
                    + "reply whose fate a crash left open is sent again",
                "turn on the server's message archive (XEP-0313)"
            )
        case .archive(nil): ("the server did not say whether it keeps an archive", nil)
        case .archivePreferences(.always): ("everything is archived", nil)
        case .archivePreferences(.roster):
            ("only what is said with contacts is archived; of others nothing can be read later", nil)
        case .archivePreferences(.never):
            (
                "the account's preferences say that nothing is archived",
                "let the server archive by default, or change the preferences of the account with a client"
            )
        case .carbons(true?): ("what other devices of the account say is copied to the bot (carbons)", nil)
        case .carbons(false?):
            ("the server makes no copies of what other devices of the account say, so the log is without it", nil)
        case .carbons(nil): ("the server did not say what it can do", nil)
        case .upload(let address, let largest):
            ("\(address) takes files" + (largest.map { " up to \(size(Int64(clamping: $0)))" } ?? ""), nil)
        case .noUpload: ("the server takes no files (XEP-0363), which a bot that only writes does not need", nil)
        case .uploadUnknown: ("the server did not say which services it has", nil)
        case .limits(nil, nil): ("the server does not announce its limits, so the bot finds them out", nil)
        case .limits(let bytes, let idle): (limits(bytes, idle), nil)
        case .clock(nil): ("the server does not say what time it is", nil)
        case .clock(let lead?): clock(lead)
        default: ("", nil)
        }
    }

    private static func words(_ login: AccountEvent.Login, _ time: Duration?) -> String {
        "logged in as \(login.bound) at \(login.address) port \(login.port) with \(login.tls ?? "no encryption") and "
            + login.mechanism + (time.map { " in \(milliseconds($0))" } ?? "")
    }

    private static func stream(_ management: SessionFacts.Management) -> (String, String?) {
        let lost = "messages can be lost or be late when the line breaks, and contacts see the bot go and come"
        let advice = "turn on stream management with resumption on the server (XEP-0198)"
        return switch management {
        case .used(isResumable: true): ("stream management is on, and a broken stream goes on where it broke", nil)
        case .used(isResumable: false):
            (
                "stream management is on, but a broken stream cannot go on: nothing is lost in silence, but contacts see the "
                    + "bot go and come", advice
            )
        case .refused: ("the server offers stream management and refuses it: \(lost)", advice)
        case .notOffered: ("the server has no stream management: \(lost)", advice)
        case .unused: ("stream management is not used on this session", nil)
        }
    }

    private static func limits(_ bytes: Int?, _ idle: Int?) -> String {
        let parts = [
            bytes.map { "stanzas up to \($0) bytes" }, idle.map { "silence of up to \($0) s" },
        ].compactMap(\.self)
        return "the server takes \(parts.joined(separator: " and "))"
    }

    private static func clock(_ lead: Duration) -> (String, String?) {
        let off = lead.magnitude
        guard off > DoctorFact.clockTolerance else { return ("both clocks agree within 5 s", nil) }
        let seconds = off.components.seconds
        return (
            "this machine's clock is \(seconds) s \(lead > .zero ? "ahead of" : "behind") the server's, so times in the log "
                + "and schedules are off; late messages are judged by the server's clock",
            "set the clock of the machine that is wrong (timedatectl set-ntp true)"
        )
    }
}
