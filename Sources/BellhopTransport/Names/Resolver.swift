internal import Glibc

/// Looks names up, at the system's name servers or at one of its own; every call blocks, so it belongs on a thread of its own.
package struct Resolver: Sendable {
    /// The numeric address of the name server to ask; nil for those of the system, and for hosts what else the system knows.
    package var nameServer: Endpoint?
    /// How long all questions about a name may take together.
    package var patience: Duration = .seconds(10)
    /// How long each try waits for the answer of a name server of its own.
    package var waits: [Duration] = [.seconds(1), .seconds(2), .seconds(2)]
    /// How long an answer about one family of addresses waits for that about the other (RFC 8305 section 3).
    private static let grace: Duration = .milliseconds(250)

    package init(nameServer: Endpoint? = nil) { self.nameServer = nameServer }

    /// Where a domain, in ASCII, serves clients; both services are asked for at once.
    package func services(of domain: String, until deadline: Duration) -> ServiceLookup {
        let kinds: [(String, ServerTarget.Security)] = [("_xmpps-client", .directTLS), ("_xmpp-client", .startTLS)]
        let answers = ask(kinds.map { Question(name: "\($0.0)._tcp.\(domain)", kind: .service) }, until: deadline)
        return ServiceLookup(
            domain: domain, directTLS: .init(answers[0], kinds[0].1), startTLS: .init(answers[1], kinds[1].1))
    }

    /// The addresses of a host as text, in the order in which they are tried.
    package func addressTexts(of host: String, until deadline: Duration) throws(TransportError) -> [String] {
        try addresses(of: host, until: deadline).map(\.description)
    }

    /// The addresses of a host, the families in turn.
    func addresses(of host: String, until deadline: Duration) throws(TransportError) -> [NumericAddress] {
        if let address = NumericAddress(host) { return [address] }
        if nameServer == nil || host == "localhost" {
            switch SystemNames.addresses(of: host) {
            case .success(let addresses): return NumericAddress.inTurn(addresses)
            case .failure(let fault): throw .noAddress(host: host, reason: fault.reason)
            }
        }
        let questions = [NameQuestion.Kind.longAddress, .address].map { Question(name: host, kind: $0) }
        let answers = ask(questions, until: deadline, grace: Self.grace)
        let addresses = answers.flatMap { answer in
            ((try? answer.get()) ?? []).compactMap { record -> NumericAddress? in
                if case .address(let address) = record { address } else { nil }
            }
        }
        guard addresses.isEmpty else { return NumericAddress.inTurn(addresses) }
        for case .failure(let fault) in answers { throw .noAddress(host: host, reason: "\(fault)") }
        throw .noAddress(host: host, reason: "there is no such name, or it has no address")
    }

    // MARK: Several questions at once

    private struct Question: Sendable {
        let name: String
        let kind: NameQuestion.Kind
    }

    private struct Answer: Sendable {
        let index: Int
        let result: Result<[NameAnswer.Record], NameFault>
    }

    /// The answers in the order of the questions; what is not answered in time is unanswered.
    ///
    /// - Parameter grace: How long others are waited for once one has brought something; nil for no such end.
    private func ask(
        _ questions: [Question], until deadline: Duration, grace: Duration? = nil
    ) -> [Result<[NameAnswer.Record], NameFault>] {
        var results = [Result<[NameAnswer.Record], NameFault>](
            repeating: .failure(.unanswered), count: questions.count)
        var end = min(deadline, MonotonicClock.now() + patience)
        guard let wakeup = try? Wakeup() else { return results }
        let inbox = Inbox<Answer>(wakeup: wakeup)
        let asked = end
        for (index, question) in questions.enumerated() {
            do throws(TransportError) {
                try LoopThread.start("names") { [self] in
                    inbox.post(Answer(index: index, result: ask(question, until: asked)))
                }
            } catch {
                inbox.post(Answer(index: index, result: .failure(.unreachable(reason: "\(error)"))))
            }
        }
        let poller = Poller(wakeup: wakeup)
        var open = questions.count
        while open > 0 {
            let left = end - MonotonicClock.now()
            guard left > .zero else { break }
            _ = poller.wait(socket: nil, reading: false, writing: false, timeout: left)
            for answer in inbox.take() {
                results[answer.index] = answer.result
                open -= 1
                if let grace, case .success(let records) = answer.result, !records.isEmpty {
                    end = min(end, MonotonicClock.now() + grace)
                }
            }
        }
        return results
    }

    private func ask(_ question: Question, until deadline: Duration) -> Result<[NameAnswer.Record], NameFault> {
        guard let name = DomainName(question.name) else { return .failure(.unaskable) }
        let question = NameQuestion(name: name, kind: question.kind)
        do throws(NameFault) {
            guard let nameServer else { return .success(try SystemNames.ask(question)) }
            guard let address = NumericAddress(nameServer.host) else {
                throw .unreachable(reason: "\(nameServer.host) is no address")
            }
            let client = NameServerClient(address: address, port: nameServer.port, waits: waits)
            return .success(try client.ask(question, until: deadline))
        } catch {
            return .failure(error)
        }
    }
}
