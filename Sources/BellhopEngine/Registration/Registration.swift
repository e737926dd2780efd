internal import BellhopXML
internal import BellhopXMPP

/// The conversation that makes an account: ask for the form, fill it in, read what became of it (XEP-0077).
///
/// The password is written only into a form that the server sent and that can be filled in completely.
struct Registration: Equatable, Sendable {
    /// What to do after an answer.
    enum Step: Equatable, Sendable {
        case send(Element)
        case succeed
        case fail(RegistrationFailure)
    }

    private enum State: Equatable, Sendable {
        /// Next: `submitted`, or `finished`.
        case askedForForm
        /// Name and password are out. Next: `finished`.
        case submitted
        case finished
    }

    private let domain: String
    private let credentials: Credentials
    private let idPrefix: String
    private var state = State.askedForForm

    init(_ plan: LoginPlan) {
        domain = plan.account.domain
        credentials = plan.credentials
        idPrefix = plan.idPrefix
    }

    /// The id of the request that waits for an answer.
    var pendingID: String {
        switch state {
        case .askedForForm: idPrefix + "-form"
        case .submitted, .finished: idPrefix + "-register"
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
            switch RegistrationForm(payload).filled(with: credentials) {
            case .success(let query):
                state = .submitted
                return .send(request("set", query))
            case .failure(let failure): return fail(failure)
            }
        case (.askedForForm, .error(let error)): return fail(refusal(error, beforeForm: true))
        case (.submitted, .result):
            state = .finished
            return .succeed
        case (.submitted, .error(let error)): return fail(refusal(error, beforeForm: false))
        case (.finished, _): return fail(.unusableForm)
        }
    }

    private mutating func fail(_ failure: RegistrationFailure) -> Step {
        state = .finished
        return .fail(failure)
    }

    private func refusal(_ error: StanzaError, beforeForm: Bool) -> RegistrationFailure {
        let text = error.text.map { String($0.prefix(300)) }
        switch error.condition {
        case .conflict: return .taken
        case .resourceConstraint, .recipientUnavailable, .remoteServerTimeout: return .tryLater(text: text)
        case .forbidden, .notAllowed, .notAuthorized, .registrationRequired, .policyViolation:
            return error.kind == .wait ? .tryLater(text: text) : .notAllowed(text: text)
        case .serviceUnavailable, .featureNotImplemented, .itemNotFound:
            if error.kind == .wait { return .tryLater(text: text) }
            return beforeForm ? .notOffered : .notAllowed(text: text)
        case .notAcceptable, .badRequest, .jidMalformed:
            return error.kind == .wait ? .tryLater(text: text) : .notAcceptable(text: text)
        case .gone, .internalServerError, .redirect, .remoteServerNotFound, .subscriptionRequired,
            .undefinedCondition, .unexpectedRequest:
            return error.kind == .wait ? .tryLater(text: text) : .other(error)
        }
    }
}
