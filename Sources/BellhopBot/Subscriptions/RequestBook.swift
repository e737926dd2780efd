internal import BellhopXMPP

/// The subscription requests that wait, those that were answered lately, and when admins hear of them.
struct RequestBook {
    /// How a request was answered, and by whom, for admins who come second.
    struct Answer: Equatable {
        var number: Int
        var isAccepted: Bool
        var by: String
    }

    /// Above this many, further requests are left unanswered: the server brings them again at the next login.
    static let capacity = 10_000
    private static let repeatWindow: Duration = .seconds(60)
    private static let digestPeriod: Duration = .seconds(60)
    private static let rememberedAnswers = 100

    private(set) var pending: [PendingRequest]
    private var persons: Set<JID>
    private var answers: [Answer] = []
    /// Whom we answered without asking admins, and when: a repeated request gets no second answer.
    private var settled: [JID: Duration] = [:]
    var counts = DomainCounts()

    /// Numbers that admins have not heard of; nil when the next one is told singly.
    private var untold: [PendingRequest]?
    /// When the next digest is due; nil while none is.
    private(set) var digestAt: Duration?

    init(pending: [PendingRequest]) {
        self.pending = pending
        persons = Set(pending.map(\.person))
    }

    var isFull: Bool { pending.count >= Self.capacity }

    func isPending(_ person: JID) -> Bool { persons.contains(person) }

    func wasSettled(_ person: JID, now: Duration) -> Bool {
        guard let at = settled[person] else { return false }
        return now - at < Self.repeatWindow
    }

    mutating func settle(_ person: JID, now: Duration) {
        if settled.count >= Self.capacity {
            settled = settled.filter { now - $0.value < Self.repeatWindow }
            if settled.count >= Self.capacity { settled = [:] }
        }
        settled[person] = now
    }

    /// The person's state has changed, so that a new request is a new one.
    mutating func forgetSettled(_ person: JID) { settled[person] = nil }

    mutating func add(_ request: PendingRequest) {
        pending.append(request)
        persons.insert(request.person)
    }

    /// Takes out the requests that an answer is about.
    mutating func take(_ selector: RequestSelector) -> [PendingRequest] {
        let taken = pending.filter { request in
            switch selector {
            case .number(let number): request.number == number
            case .domain(let domain): request.person.domain == domain
            case .person(let person): request.person == person
            case .all: true
            }
        }
        guard !taken.isEmpty else { return [] }
        let numbers = Set(taken.map(\.number))
        pending.removeAll { numbers.contains($0.number) }
        untold?.removeAll { numbers.contains($0.number) }
        for request in taken { persons.remove(request.person) }
        return taken
    }

    mutating func note(_ requests: [PendingRequest], accepted: Bool, by who: String) {
        for request in requests.suffix(Self.rememberedAnswers) {
            answers.append(Answer(number: request.number, isAccepted: accepted, by: who))
        }
        answers.removeFirst(max(0, answers.count - Self.rememberedAnswers))
    }

    func answer(to number: Int) -> Answer? { answers.last { $0.number == number } }

    /// Whether admins are told of the request now; otherwise it goes into the next digest.
    mutating func tellsNow(_ request: PendingRequest, now: Duration) -> Bool {
        guard untold != nil else {
            untold = []
            digestAt = now + Self.digestPeriod
            return true
        }
        untold?.append(request)
        return false
    }

    /// The requests of a digest that is due; empty when there is none. After a quiet minute the next one is told singly.
    mutating func takeDigest(now: Duration) -> [PendingRequest] {
        guard let due = digestAt, due <= now else { return [] }
        let requests = untold ?? []
        untold = requests.isEmpty ? nil : []
        digestAt = requests.isEmpty ? nil : now + Self.digestPeriod
        return requests
    }
}
