internal import BellhopXMPP

/// What is left of long answers, until the person says `more`.
///
/// One for each person, in memory only. A later long answer takes the place of the earlier one. When too much is kept in all,
/// what was kept longest goes.
struct HeldOutputs {
    struct Rest: Equatable {
        var text: TextSplitter
        /// The run that said it, which may have more to say.
        var run: RunID?
        /// Whether there was more than is kept for one person.
        var isCut: Bool
        fileprivate var keptAt: Duration = .zero

        init(_ text: TextSplitter, of run: RunID?, isCut: Bool = false) {
            self.text = text
            self.run = run
            self.isCut = isCut
        }
    }

    /// How long something is kept for a person who does not ask for it.
    static let period: Duration = .seconds(600)
    static let bytesPerPerson = 128 * 1_024
    static let personLimit = 256
    static let byteLimit = 8 * 1_024 * 1_024

    private var rests: [JID: Rest] = [:]
    private(set) var bytes = 0

    var count: Int { rests.count }

    /// Keeps it in place of what was kept for that person.
    mutating func keep(_ rest: Rest, for person: JID, now: Duration) {
        remove(person)
        var rest = rest
        if rest.text.cut(toBytes: Self.bytesPerPerson) { rest.isCut = true }
        rest.text.detach()
        rest.keptAt = now
        bytes += rest.text.rest.utf8.count
        rests[person] = rest
        makeRoom(now: now)
    }

    /// Adds what a run says behind what is kept of it.
    mutating func add(_ text: String, of run: RunID?, for person: JID, now: Duration) {
        guard var rest = remove(person, now: now), rest.run == run else {
            return keep(Rest(TextSplitter(text), of: run), for: person, now: now)
        }
        if !rest.isCut { rest.text.append("\n" + text) }
        keep(rest, for: person, now: now)
    }

    /// What is kept for the person, taken away; nil when there is nothing, or it is too old.
    mutating func take(_ person: JID, now: Duration) -> Rest? { remove(person, now: now) }

    @discardableResult
    private mutating func remove(_ person: JID, now: Duration? = nil) -> Rest? {
        guard let rest = rests.removeValue(forKey: person) else { return nil }
        bytes -= rest.text.rest.utf8.count
        if let now, now - rest.keptAt >= Self.period { return nil }
        return rest
    }

    private mutating func makeRoom(now: Duration) {
        guard rests.count > Self.personLimit || bytes > Self.byteLimit else { return }
        for (person, rest) in rests where now - rest.keptAt >= Self.period { remove(person) }
        while rests.count > Self.personLimit || bytes > Self.byteLimit {
            guard let oldest = rests.min(by: { $0.value.keptAt < $1.value.keptAt })?.key else { return }
            remove(oldest)
        }
    }
}
