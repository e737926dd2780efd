internal import BellhopClient
internal import BellhopCrypto
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// What `doctor` says: of each fact what it is and what to do about it, and of all of them together.
enum DoctorPhrases {
    static func finding(_ fact: DoctorFact) -> Finding {
        if case .told(let finding) = fact { return finding }
        let (what, advice) = words(fact)
        return Finding(
            fact.check, fact.verdict, VisibleText.oneLine(sentence(what)),
            advice: advice.map { VisibleText.oneLine($0) })
    }

    private static func words(_ fact: DoctorFact) -> (what: String, advice: String?) {
        switch fact {
        case .configurationRight(let origin): ("\(origin) is right", nil)
        case .configurationWrong(let line): (line, "mend it; check says whether it is right then")
        case .configurationNote(let note): (note, nil)
        case .secretMissing(let line, let botRuns, let isUnmade):
            secretMissing(line, botRuns: botRuns, isUnmade: isUnmade)
        case .filesPrivate(let journal): ("nobody else can read the files of \(journal)", nil)
        case .fileOpen(let path, let mode):
            (
                "others can read or change \(path) (mode 0\(String(mode, radix: 8)))",
                "chmod 600 \(ShellWord.quoted(path))"
            )
        case .botRuns(let status): botRuns(status)
        case .botDoesNotRun: ("no bot runs with this journal", nil)
        case .botUnreachable(let reason): (reason, nil)
        case .journal(let path, let checkup): (journal(path, checkup), nil)
        case .journalAbsent(let path): ("there is no journal \(path) yet; the bot makes it at its first start", nil)
        case .journalTrouble(let error): (JournalPhrases.sentence(error), nil)
        case .journalNotWritable(let path):
            (
                "this user cannot write the journal \(path) and its folder",
                "run doctor as the bot's user, or give the folder to it, or set another journal.path"
            )
        case .journalLogLarge(let path, let bytes):
            (
                "\(path)-wal has \(size(bytes)), so nobody has copied it into the journal for long",
                "end what reads the journal all the time (log show --follow, a backup), or start the bot, which copies it"
            )
        case .disk(let folder, let space): disk(folder, space)
        case .diskUnknown(let folder): ("how full the disk of \(folder) is, the system does not say", nil)
        case .serverNamed, .lookup, .addresses, .noAddress, .reached, .notReached, .redirected, .domainNotServed,
            .noStream, .encrypted,
            .notEncrypted, .inTheClear, .certificate, .certificateRefused, .mechanisms, .noMechanism:
            wayWords(fact)
        case .loggedIn, .loginFailed, .loginSkipped, .sessionSkipped, .roster, .ping, .stream, .archive,
            .archivePreferences, .carbons, .upload, .noUpload, .uploadUnknown, .limits, .clock:
            sessionWords(fact)
        case .told(let finding): (finding.what, finding.advice)
        }
    }

    private static func secretMissing(_ line: String, botRuns: Bool, isUnmade: Bool) -> (String, String?) {
        botRuns
            ? (
                line,
                "nothing, if only the bot is to read it: the one that runs has it, and is asked in place of a login"
            )
            : (
                line,
                isUnmade
                    ? "when the password is there, doctor logs in and looks further"
                    : "run doctor where the bot runs, as its user, or make the secret readable"
            )
    }

    private static func botRuns(_ status: BotStatus) -> (String, String?) {
        switch status.connection {
        case .online: ("a bot runs and is online since \(status.since); it goes on undisturbed", nil)
        case .connecting, .waiting:
            (
                "a bot runs and is not online since \(status.since)"
                    + (status.trouble.map { ": \($0.reason)" } ?? ""), "what is found below says why"
            )
        }
    }

    private static func journal(_ path: String, _ checkup: JournalCheckup) -> String {
        let messages = checkup.messages.map { ", \($0 == 1 ? "1 message" : "\($0) messages")" } ?? ""
        let upgrade =
            checkup.version < checkup.known ? ", which the bot brings up to \(checkup.known) at its start" : ""
        return "\(path) is sound\(messages), \(size(checkup.bytes)), version \(checkup.version)\(upgrade)"
    }

    private static func disk(_ folder: String, _ space: FileSystemSpace) -> (String, String?) {
        if space.files > 0 && space.freeFiles == 0 {
            return ("the disk of \(folder) takes no further file", "remove what is not needed there")
        }
        let what = "the disk of \(folder) has room for \(size(Int64(clamping: space.available)))"
        guard space.available < DoctorFact.leastRoom else { return (what, nil) }
        return (what, "make room: when the disk is full, nothing more is logged, and later the bot takes no commands")
    }

    // MARK: All together

    /// The last line.
    static func summary(_ findings: [Finding]) -> String {
        let failed = checks(findings, .failed)
        let degraded = checks(findings, .degraded)
        var parts: [String] = []
        if !failed.isEmpty { parts.append("The bot does not work like this: \(failed) failed.") }
        if !degraded.isEmpty {
            parts.append("\(failed.isEmpty ? "The bot works, and does without something" : "Besides"): \(degraded).")
        }
        return parts.isEmpty ? "The bot can work with this." : parts.joined(separator: " ")
    }

    /// The names of the checks with that verdict, each once.
    private static func checks(_ findings: [Finding], _ verdict: Finding.Verdict) -> String {
        DoctorCheck.allCases.filter { check in findings.contains { $0.check == check && $0.verdict == verdict } }
            .map(\.rawValue).joined(separator: ", ")
    }

    /// Where a bot's session is not examined because there is none.
    static let offline = "I am not online just now, so there is nothing to examine."

    // MARK: Values

    /// With a capital letter, unless it begins with a name or a path, and a full stop.
    private static func sentence(_ text: String) -> String {
        var text = text
        if let first = text.first, first.isLowercase, beginsWithWord(text) {
            text = first.uppercased() + text.dropFirst()
        }
        if let last = text.last, !".!?\u{201D}".contains(last) { text += "." }
        return text
    }

    /// Hosts, addresses and paths have dots, slashes and signs in them and stay as they are.
    private static func beginsWithWord(_ text: String) -> Bool {
        text.prefix { $0 != " " }.allSatisfy { $0.isLetter || $0 == "," || $0 == ";" }
    }

    static func milliseconds(_ time: Duration) -> String {
        let parts = time.components
        let (whole, overflow) = parts.seconds.multipliedReportingOverflow(by: 1_000)
        return overflow ? "ages" : "\(whole + parts.attoseconds / 1_000_000_000_000_000) ms"
    }

    static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<10_000: bytes == 1 ? "1 byte" : "\(bytes) bytes"
        case ..<10_000_000: "\(bytes / 1_000) KB"
        case ..<10_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000) GB"
        }
    }
}
