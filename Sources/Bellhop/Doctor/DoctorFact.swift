internal import BellhopClient
internal import BellhopCrypto
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopTransport
internal import BellhopXMPP

/// What `doctor` has found out. Where a place is `needed`, no other leads to the server; a `stop` is why the
/// bot would end then.
enum DoctorFact: Equatable, Sendable {
    // MARK: Here

    case configurationRight(origin: String)
    case configurationWrong(line: String)
    case configurationNote(String)
    /// A secret is out of reach, which a running bot has already, or nobody has made the password yet.
    case secretMissing(line: String, botRuns: Bool, isUnmade: Bool = false)
    case filesPrivate(journal: String)
    case fileOpen(path: String, mode: UInt32)
    case botRuns(BotStatus)
    case botDoesNotRun
    /// Somebody seems to be there, in the words of who asked.
    case botUnreachable(reason: String)
    case journal(path: String, JournalCheckup)
    case journalAbsent(path: String)
    case journalTrouble(JournalError)
    case journalNotWritable(path: String)
    case journalLogLarge(path: String, bytes: Int64)
    case disk(folder: String, FileSystemSpace)
    case diskUnknown(folder: String)

    // MARK: The way to the server

    case serverNamed(ServerTarget)
    case lookup(ServiceLookup, ServiceLookup.Plan)
    case addresses(host: String, [String])
    case noAddress(host: String, reason: String, needed: Bool)
    case reached(ServerTarget, address: String, after: Duration)
    case notReached(ServerTarget, sentence: String, needed: Bool)
    case redirected(ServerTarget, sentence: String)
    case domainNotServed(ServerTarget, sentence: String, needed: Bool, stop: RetryPolicy.StopReason? = nil)
    case noStream(ServerTarget, sentence: String, needed: Bool, stop: RetryPolicy.StopReason? = nil)
    case encrypted(ServerTarget, version: String, cipher: String)
    case notEncrypted(ServerTarget, sentence: String, needed: Bool, stop: RetryPolicy.StopReason? = nil)
    /// The configuration wants it so.
    case inTheClear(ServerTarget)
    case certificate(CertificateFacts, overlooked: [CertificateFault], datesCount: Bool, now: Timestamp)
    case certificateRefused(
        ServerTarget, sentence: String, CertificateFacts?, needed: Bool, stop: RetryPolicy.StopReason? = nil)
    case mechanisms(
        ServerTarget, offered: [String], bindings: [String]?, sasl2: SASL2Offer? = nil, login: String)
    case noMechanism(ServerTarget, sentence: String, needed: Bool, stop: RetryPolicy.StopReason? = nil)

    // MARK: The session

    case loggedIn(AccountEvent.Login, after: Duration?)
    case loginFailed(AccountEnding)
    case loginSkipped(SkipReason)
    case sessionSkipped
    case roster(contacts: Int?)
    case ping(Duration?)
    case stream(SessionFacts.Management)
    case archive(isThere: Bool?)
    case archivePreferences(ArchivePreferences)
    case carbons(isThere: Bool?)
    case upload(address: String, largest: Int?)
    case noUpload
    case uploadUnknown
    case limits(bytes: Int?, idleSeconds: Int?)
    /// How far our clock is ahead of the server's; nil where the server does not say.
    case clock(lead: Duration?)

    /// Why nobody logged in.
    enum SkipReason: Equatable, Sendable {
        case noPlace, noSecret
        /// The machine lacks something, in its own words.
        case machine(String)
    }

    /// What a running bot says of its own session, in its words.
    case told(Finding)

    // MARK: Limits

    /// A certificate that ends sooner is degraded.
    static let certificateDays = 14
    /// A disk with less room is degraded, in bytes.
    static let leastRoom: UInt64 = 100_000_000
    /// A write-ahead log that is larger was not copied for long, in bytes; the writer keeps it below that.
    static let largestLog: Int64 = 64 << 20
    /// Clocks that differ by more are degraded.
    static let clockTolerance: Duration = .seconds(5)
}

extension CertificateFacts {
    /// In whole days, negative when it is over.
    func daysLeft(at now: Timestamp) -> Int {
        let (left, overflow) = notAfter.subtractingReportingOverflow(now.milliseconds / 1_000)
        guard !overflow else { return notAfter < 0 ? .min : .max }
        return Int(clamping: left >= 0 ? left / 86_400 : (left - 86_399) / 86_400)
    }
}
