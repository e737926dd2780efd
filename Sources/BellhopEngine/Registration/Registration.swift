internal import BellhopXML
internal import BellhopXMPP

/// The conversation that makes an account: ask for the form, fill it in, read what became of it (XEP-0077).
///
/// The password is written only into a form that the server sent and that is filled in completely. Where something is
/// missing, a person may be asked while the server waits: the solution of a riddle (XEP-0158) is good for this form alone.
struct Registration: Equatable, Sendable {
    /// What to do after an answer.
    enum Step: Equatable, Sendable {
        case send(Element)
        /// Ask a person, and hand the answers to `answered`.
        case ask(RegistrationQuestion)
        case succeed
        case fail(RegistrationFailure)
    }

    private enum State: Equatable, Sendable {
        /// Next: `asking`, `submitted`, or `finished`.
        case askedForForm
        /// A person is asked for what the form wants. Next: `submitted`, or `finished`.
        case asking(RegistrationForm)
        /// Name and password are out. Next: `finished`.
        case submitted(RegistrationForm)
        case finished
    }

    private let domain: String
    private let credentials: Credentials
    private let idPrefix: String
    private let canAsk: Bool
    private var answers: [String: [String]]
    private var state = State.askedForForm

    init(_ plan: LoginPlan) {
        domain = plan.account.domain
        credentials = plan.credentials
        idPrefix = plan.idPrefix
        canAsk = plan.registration.canAsk
        answers = plan.registration.answers
    }

    /// The id of the request that waits for an answer; while a person is asked, none does.
    var pendingID: String? {
        switch state {
        case .askedForForm: idPrefix + "-form"
        case .submitted: idPrefix + "-register"
        case .asking, .finished: nil
        }
    }

    /// Whether the account was asked for, and nobody knows what became of it.
    var isSubmitted: Bool {
        switch state {
        case .submitted: true
        case .askedForForm, .asking, .finished: false
        }
    }

    /// The request for the form.
    var firstElement: Element { request("get", Element("query", namespace: Namespace.register)) }

    private func request(_ type: String, _ query: Element) -> Element {
        Element("iq", namespace: Namespace.client)
            .with("type", type).with("id", pendingID).with("to", domain).with(query)
    }

    /// The server answered the pending request.
    mutating func received(_ reply: IQReply) -> Step {
        switch (state, reply) {
        case (.askedForForm, .result(let payload)):
            guard let payload, payload.is("query", Namespace.register) else { return fail(.unusableForm) }
            return fill(RegistrationForm(payload), mayAsk: canAsk)
        case (.askedForForm, .error(let error)): return fail(refusal(error, of: nil))
        case (.submitted, .result):
            state = .finished
            return .succeed
        case (.submitted(let form), .error(let error)): return fail(refusal(error, of: form))
        case (.asking, _), (.finished, _): return fail(.unusableForm)
        }
    }

    /// The person who was asked has answered; nil when they gave up.
    mutating func answered(_ given: [String: [String]]?) -> Step? {
        switch state {
        case .asking(let form):
            guard let given else { return fail(.unanswered) }
            answers.merge(given) { _, new in new }
            return fill(form, mayAsk: false)
        case .askedForForm, .submitted, .finished: return nil
        }
    }

    /// What it means when the time for the whole negotiation is over; nil where that says nothing of its own.
    var failureInTime: RegistrationFailure? {
        switch state {
        case .asking: .unanswered
        case .askedForForm, .submitted, .finished: nil
        }
    }

    private mutating func fill(_ form: RegistrationForm, mayAsk: Bool) -> Step {
        switch form.filled(with: credentials, answers) {
        case .complete(let query):
            state = .submitted(form)
            return .send(request("set", query))
        case .incomplete(let question):
            guard mayAsk else { return fail(.moreWanted(question)) }
            state = .asking(form)
            return .ask(question)
        case .failed(let failure): return fail(failure)
        }
    }

    private mutating func fail(_ failure: RegistrationFailure) -> Step {
        state = .finished
        return .fail(failure)
    }

    /// What an error means, before the form was there or as the answer to it.
    private func refusal(_ error: StanzaError, of form: RegistrationForm?) -> RegistrationFailure {
        let text = error.text.map { String($0.prefix(300)) }
        switch error.condition {
        case .conflict: return .taken
        case .resourceConstraint, .recipientUnavailable, .remoteServerTimeout: return .tryLater(text: text)
        case .forbidden, .notAllowed, .notAuthorized, .registrationRequired, .policyViolation:
            if error.kind == .wait { return .tryLater(text: text) }
            // What ejabberd says to a wrong answer.
            if error.condition == .notAllowed, form?.isRiddle == true { return .riddleFailed(text: text) }
            return .notAllowed(text: text)
        case .serviceUnavailable, .featureNotImplemented, .itemNotFound:
            if error.kind == .wait { return .tryLater(text: text) }
            return form == nil ? .notOffered : .notAllowed(text: text)
        case .notAcceptable, .badRequest, .jidMalformed:
            if error.kind == .wait { return .tryLater(text: text) }
            return .notAcceptable(text: text, unanswered: Array((form?.unanswered(answers) ?? []).prefix(20)))
        case .gone, .internalServerError, .redirect, .remoteServerNotFound, .subscriptionRequired,
            .undefinedCondition, .unexpectedRequest:
            return error.kind == .wait ? .tryLater(text: text) : .other(error)
        }
    }
}
