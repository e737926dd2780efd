internal import BellhopBot
internal import BellhopClient
internal import BellhopDiagnostics
internal import BellhopEngine
internal import BellhopJournal
internal import BellhopXML
internal import BellhopXMPP

/// What a command line asks, done on the loop's thread.
extension BotHouse {
    /// Calls back once, on the loop's thread: at once, or when the server has answered or cannot any more.
    func perform(_ request: ControlRequest, _ answered: @escaping @Sendable (ControlAnswer) -> Void) {
        if let answer = answerAnyway(request) {
            return afterCommit { [ledger] in
                // What shall outlive a restart is promised only once it is in the file.
                answered(request.mustLast && ledger.isHeld ? .failed(.journalFull) : answer)
            }
        }
        if case .forget(let person) = request { return forget(person, answered) }
        guard loop.isOnline else { return answered(.failed(.notConnected(reason: lastReason))) }
        switch request {
        case .send(let jid, let text): send(text, to: jid, answered)
        case .listRoster: answered(.roster(rosterRows))
        case .addContact(let jid, let name, let groups): add(jid, name: name, groups: groups, answered)
        case .removeContact(let jid): remove(jid, answered)
        case .fetch(let jid, let age): fetch(jid, since: age, answered)
        case .examine:
            SessionExamination.begin(loop) { answered(.examined($0.map(DoctorPhrases.finding))) }
        case .listRequests, .listOutbox, .changeOutbox, .status, .pause, .resume, .resetLogin, .forget: break
        case .answerRequests(let choice, let accepting): answer(choice, accepting: accepting, answered)
        }
    }

    /// What needs no connection; nil for everything else.
    private func answerAnyway(_ request: ControlRequest) -> ControlAnswer? {
        switch request {
        case .listRequests: return .requests(rows(desk.pendingRequests))
        case .listOutbox(let filter): return listOutbox(filter)
        case .changeOutbox(let verb, let choice, let filter): return changeOutbox(verb, choice, filter)
        case .status: return .status(report)
        case .pause:
            let isNew = desk.beginPause(by: Self.commandLine, at: moment)
            return desk.pause.map { .paused(since: $0.since, by: $0.by, isNew: isNew) }
        case .resume:
            guard let resumption = desk.endPause(by: Self.commandLine, at: moment) else { return .notPaused }
            return .resumed(run: resumption.run, late: resumption.late)
        case .resetLogin:
            let mechanism = loop.forgetProof()
            ledger.forgetLogins()
            return .resetLogin(after: mechanism?.rawValue)
        case .send, .listRoster, .addContact, .removeContact, .answerRequests, .examine, .forget, .fetch: return nil
        }
    }

    /// The server handles what we send in order: when it answers this, it has all that was sent before, and has sent back
    /// what it refused at once.
    private func confirm(_ confirmed: @escaping (_ isConfirmed: Bool) -> Void) {
        guard let server = loop.server else { return confirmed(false) }
        loop.request(.get(Element("ping", namespace: Namespace.ping)), to: server) { confirmed($0 != nil) }
    }

    private func send(_ text: String, to jid: JID, _ answered: @escaping (ControlAnswer) -> Void) {
        guard let sent = desk.say(text, to: jid, at: moment) else { return answered(.failed(.journalFull)) }
        whenSettled(with: jid) { [unowned self] in confirmDeparture(of: sent, answered) }
    }

    private func confirmDeparture(of sent: Sent, _ answered: @escaping (ControlAnswer) -> Void) {
        afterDeparture(of: sent) { [unowned self] hasLeft in
            guard hasLeft else { return answered(.failed(.noAnswer)) }
            confirm { [unowned self] isConfirmed in
                let answer: ControlAnswer
                switch sent.state {
                case .failed(let reason): answer = .failed(.bounced(reason: reason))
                case .queued, .sent: answer = isConfirmed ? .done : .failed(.noAnswer)
                }
                // What the journal says of it is to be the same.
                afterCommit { answered(answer) }
            }
        }
    }

    // MARK: The roster

    /// Without presence of our own we see nobody else's, and must not say that everybody is offline.
    private var rosterRows: [RosterRow] {
        chat.contacts.map { contact in
            let item = contact.item
            let resources = contact.resources.sorted { $0.key < $1.key }.map { name, shown in
                RosterRow.Resource(name: name, show: shown.show.rawValue, status: shown.status)
            }
            return RosterRow(
                jid: item.jid.bareText, name: item.name, state: item.subscription.rawValue, asks: item.ask,
                groups: item.groups, online: loop.settings.announces ? resources : nil)
        }
    }

    /// What is not given stays as it was.
    private func add(_ jid: JID, name: String?, groups: [String], _ answered: @escaping (ControlAnswer) -> Void) {
        let item = chat.rosterItem(jid)
        loop.setContact(jid, name: name ?? item?.name, groups: groups.isEmpty ? item?.groups ?? [] : groups) {
            [unowned self] reply in
            guard case .result? = reply else { return answered(Self.failure(reply)) }
            let sees = item.map { $0.ask || $0.subscription == .to || $0.subscription == .both } ?? false
            if !sees { chat.subscribe(jid) }
            confirm { answered($0 ? .done : .failed(.noAnswer)) }
        }
    }

    private func remove(_ jid: JID, _ answered: @escaping (ControlAnswer) -> Void) {
        guard chat.rosterItem(jid) != nil else { return answered(.failed(.noSuchContact(jid))) }
        loop.removeContact(jid) { reply in
            guard case .result? = reply else { return answered(Self.failure(reply)) }
            answered(.done)
        }
    }

    private static func failure(_ reply: IQReply?) -> ControlAnswer {
        guard case .error(let error)? = reply else { return .failed(.noAnswer) }
        return .failed(.refused(reason: error.condition.rawValue + (error.text.map { ": \($0)" } ?? "")))
    }

    // MARK: Forgetting

    /// The memory of the loop's thread goes first and last, the file in between on another thread.
    private func forget(
        _ person: JID, attempts: Int = 40, _ answered: @escaping @Sendable (ControlAnswer) -> Void
    ) {
        guard let caretaker else { return answered(.failed(.busy)) }
        let handle = loop.handle
        guard let last = ledger.beginForgetting(person, now: loop.now) else {
            guard attempts > 1 else { return answered(.failed(.journalFull)) }
            // The write-ahead log may just be being copied.
            return caretaker.afterMoment {
                handle.post(HouseRequest { $0.forget(person, attempts: attempts - 1, answered) })
            }
        }
        desk.forget(person)
        log.info("forget", "A person is forgotten, as the command line asked.", ["jid": person.bareText])
        caretaker.forget(person.bareText, through: last) { result in
            handle.post(
                HouseRequest { house in
                    if case .success(let outcome) = result { house.ledger.endForgetting(outcome) }
                    answered(ControlAnswer(result))
                })
        }
    }

    // MARK: Requests

    /// As whom the journal and the admins know it.
    static let commandLine = "the command line"

    private func answer(
        _ choice: Invocation.RequestChoice, accepting: Bool, _ answered: @escaping (ControlAnswer) -> Void
    ) {
        let requests = desk.answerFromOutside(
            Self.selector(choice), accepting: accepting, by: Self.commandLine, at: moment)
        guard !requests.isEmpty else {
            guard case .number(let number) = choice, let earlier = ledger.decision(about: number) else {
                return answered(.failed(.noSuchRequest))
            }
            return answered(
                .failed(.alreadyAnswered(number: number, accepted: earlier.isAccepted, by: earlier.by)))
        }
        let answeredRows = rows(requests)
        confirm { isConfirmed in
            answered(isConfirmed ? .answeredRequests(answeredRows, accepted: accepting) : .failed(.noAnswer))
        }
    }

    private static func selector(_ choice: Invocation.RequestChoice) -> RequestSelector {
        switch choice {
        case .number(let number): .number(number)
        case .person(let jid): .person(jid)
        case .domain(let jid): .domain(jid.domain)
        case .all: .all
        }
    }

    private func rows(_ requests: [PendingRequest]) -> [RequestRow] {
        requests.map { RequestRow(number: $0.number, jid: $0.person.bareText, askedAt: $0.askedAt) }
    }
}
