internal import BellhopClient
internal import BellhopCrypto
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// What each fact is about, and what it means for the bot.
extension DoctorFact {
    var check: DoctorCheck {
        switch self {
        case .configurationRight, .configurationWrong, .configurationNote, .secretMissing: .configuration
        case .filesPrivate, .fileOpen: .files
        case .botRuns, .botDoesNotRun, .botUnreachable: .bot
        case .journal, .journalAbsent, .journalTrouble, .journalNotWritable, .journalLogLarge: .journal
        case .disk, .diskUnknown: .disk
        case .serverNamed, .lookup, .addresses, .noAddress: .dns
        case .reached, .notReached, .redirected, .domainNotServed, .noStream: .port
        case .encrypted, .notEncrypted, .inTheClear: .tls
        case .certificate, .certificateRefused: .certificate
        case .mechanisms, .noMechanism: .mechanisms
        case .loggedIn, .loginFailed, .loginSkipped: .login
        case .sessionSkipped: .session
        case .roster: .roster
        case .ping: .ping
        case .stream: .stream
        case .archive, .archivePreferences: .archive
        case .carbons: .carbons
        case .upload, .noUpload, .uploadUnknown: .upload
        case .limits: .limits
        case .clock: .clock
        case .told(let finding): finding.check
        }
    }

    var verdict: Finding.Verdict {
        switch self {
        case .told(let finding): finding.verdict
        case .configurationRight, .filesPrivate, .botDoesNotRun, .serverNamed, .addresses, .reached, .encrypted,
            .loggedIn, .upload:
            .ok
        case .configurationWrong, .journalTrouble, .journalNotWritable, .loginFailed: .failed
        case .configurationNote, .journalAbsent, .redirected, .noUpload: .note
        case .secretMissing(_, let botRuns, _): botRuns ? .note : .failed
        case .fileOpen, .botUnreachable, .journalLogLarge, .diskUnknown, .inTheClear: .degraded
        case .botRuns(let status): status.connection == .online ? .ok : .degraded
        case .journal(_, let checkup): checkup.version < checkup.known ? .note : .ok
        case .disk(_, let space):
            space.available < Self.leastRoom || (space.files > 0 && space.freeFiles == 0) ? .degraded : .ok
        case .lookup(let lookup, let plan): Self.verdict(lookup, plan)
        case .noAddress(_, _, let needed), .notReached(_, _, let needed), .domainNotServed(_, _, let needed, _),
            .noStream(_, _, let needed, _), .notEncrypted(_, _, let needed, _),
            .certificateRefused(_, _, _, let needed, _), .noMechanism(_, _, let needed, _):
            needed ? .failed : .degraded
        case .certificate(let facts, let overlooked, let datesCount, let now):
            datesCount && facts.daysLeft(at: now) < Self.certificateDays ? .degraded : overlooked.isEmpty ? .ok : .note
        case .mechanisms(_, _, _, _, let login): Self.showsPassword(login) ? .degraded : .ok
        case .loginSkipped, .sessionSkipped, .uploadUnknown: .skipped
        case .roster(let contacts): contacts == nil ? .degraded : .ok
        case .ping(let time): time == nil ? .degraded : .ok
        case .stream(.used(isResumable: true)): .ok
        case .stream: .degraded
        case .archive(let isThere): isThere.map { $0 ? .ok : .degraded } ?? .skipped
        case .archivePreferences(let preferences): Self.verdict(preferences)
        case .carbons(let isThere): isThere.map { $0 ? .ok : .note } ?? .skipped
        case .limits(let bytes, let idleSeconds): bytes == nil && idleSeconds == nil ? .note : .ok
        case .clock(let lead): lead.map { $0.magnitude > Self.clockTolerance ? .degraded : .ok } ?? .skipped
        }
    }

    private static func verdict(_ lookup: ServiceLookup, _ plan: ServiceLookup.Plan) -> Finding.Verdict {
        var isUnanswered = false
        for case .failed in [lookup.directTLS, lookup.startTLS] { isUnanswered = true }
        return switch plan {
        case .targets: isUnanswered ? .degraded : .ok
        case .domainItself: isUnanswered ? .degraded : .note
        case .notOffered, .unknown: .failed
        }
    }

    private static func verdict(_ preferences: ArchivePreferences) -> Finding.Verdict {
        switch preferences {
        case .always: .ok
        case .roster: .note
        case .never: .degraded
        }
    }

    /// Whether a login of this name lets the server see the password, or what is as good.
    static func showsPassword(_ login: String) -> Bool {
        login == SASLMechanismName.plain || login.hasPrefix(SASLMechanismName.legacy)
    }

    private enum SASLMechanismName {
        static let plain = "PLAIN"
        static let legacy = "jabber:iq:auth"
    }

    /// How a program ends that has found this; nil for what has not failed.
    var exitCode: ExitCode? {
        guard verdict == .failed else { return nil }
        return switch self {
        case .configurationWrong, .secretMissing: .configuration
        case .journalTrouble(let error): JournalPhrases.exitCode(error)
        case .journalNotWritable: .cannotCreate
        case .domainNotServed(_, _, _, let stop?), .noStream(_, _, _, let stop?), .notEncrypted(_, _, _, let stop?),
            .certificateRefused(_, _, _, _, let stop?), .noMechanism(_, _, _, let stop?):
            Self.exitCode(stop)
        case .loginFailed(.stopped): .unavailable
        case .loginFailed(let ending): ErrandOutcome.exitCode(ending)
        default: .unavailable
        }
    }

    /// That of a bot that ends for it.
    private static func exitCode(_ stop: RetryPolicy.StopReason) -> ExitCode {
        switch stop {
        case .loginRefused: .loginRefused
        case .conflict, .domainNotServed, .encryptionNotOffered, .keyNotPinned: .conflict
        case .registrationRefused: .unavailable
        }
    }
}

extension Duration {
    /// Without its sign.
    var magnitude: Duration { self < .zero ? .zero - self : self }
}
