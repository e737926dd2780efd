internal import BellhopCrypto
internal import BellhopXML
internal import BellhopXMPP

/// What each input means in each state.
extension StreamNegotiation {
    mutating func connected(_ ground: Ground) -> [Action] {
        switch state {
        case .idle: open(on: ground)
        case .opening, .awaitingFeatures, .requestingTLS, .securing, .authenticating, .presenting, .loggingIn,
            .registering,
            .resuming, .binding, .startingSession, .finished, .failed:
            []
        }
    }

    mutating func tlsEstablished(_ ground: Ground) -> [Action] {
        switch state {
        case .securing: open(on: ground)
        case .idle, .opening, .awaitingFeatures, .requestingTLS, .authenticating, .presenting, .loggingIn, .registering,
            .resuming, .binding, .startingSession, .finished, .failed:
            []
        }
    }

    mutating func receivedBytesAfterProceed() -> [Action] {
        switch state {
        case .securing: fail(.injectedBeforeTLS)
        case .idle, .opening, .awaitingFeatures, .requestingTLS, .authenticating, .presenting, .loggingIn, .registering,
            .resuming, .binding, .startingSession, .finished, .failed:
            []
        }
    }

    mutating func answered(_ answers: [String: [String]]?) -> [Action] {
        switch state {
        case .registering(var registration, let offered, let ground):
            registration.answered(answers).map { take($0, registration, offered, ground) } ?? []
        case .idle, .opening, .awaitingFeatures, .requestingTLS, .securing, .authenticating, .presenting, .loggingIn,
            .resuming,
            .binding, .startingSession, .finished, .failed:
            []
        }
    }

    mutating func timeLimitReached() -> [Action] {
        switch state {
        case .registering(let registration, _, _):
            fail(registration.failureInTime.map { .registration($0) } ?? .timeLimitReached(during: phase))
        case .idle, .opening, .awaitingFeatures, .requestingTLS, .securing, .authenticating, .presenting, .loggingIn,
            .resuming,
            .binding, .startingSession, .finished, .failed:
            fail(.timeLimitReached(during: phase))
        }
    }

    mutating func received(_ event: StreamEvent) -> [Action] {
        if state == .securing { return fail(.injectedBeforeTLS) }
        switch event {
        case .opened(let header): return streamOpened(header)
        case .element(let element): return received(element)
        case .closed: return fail(.closed(during: phase))
        case .failed(let fault): return fail(.unreadable(fault, during: phase))
        }
    }

    private mutating func streamOpened(_ header: Element) -> [Action] {
        switch state {
        case .opening(let ground):
            guard header.is("stream", Namespace.streams) else { return fail(.notAStream(root: header.boundedName)) }
            guard let version = header["version"], let major = version.split(separator: ".").first.flatMap({ Int($0) }),
                major >= 1
            else { return fail(.unsupportedVersion(header["version"].map { String($0.prefix(20)) })) }
            var ground = ground
            ground.streamID = header["id"]
            state = .awaitingFeatures(ground)
            return []
        case .idle, .awaitingFeatures, .requestingTLS, .securing, .authenticating, .presenting, .loggingIn,
            .registering,
            .resuming, .binding, .startingSession, .finished, .failed:
            return unexpected(header)
        }
    }

    private mutating func received(_ element: Element) -> [Action] {
        if let error = StreamError(element) {
            return fail(.streamError(error, during: phase, encrypted: isEncrypted))
        }
        let features = element.is("features", Namespace.streams)
        switch state {
        case .awaitingFeatures(let ground):
            return features ? advance(ServerFeatures(element), on: ground) : unexpected(element)
        // Some servers say their features twice; a second list changes nothing that was decided.
        case .requestingTLS: return features ? [] : receivedTLSAnswer(element)
        case .authenticating(let login, let ground):
            return features ? [] : receivedLoginAnswer(element, login, ground)
        case .presenting(let login, let offered, let ground):
            return features ? [] : receivedTokenAnswer(element, login, offered, ground)
        case .loggingIn(let login, let offered, let ground):
            return features ? [] : receivedLegacyAnswer(element, login, offered, ground)
        case .registering(let registration, let offered, let ground):
            return features ? [] : receivedRegistrationAnswer(element, registration, offered, ground)
        case .resuming(let method, let offered, let ground, let resumption):
            return features ? [] : receivedResumptionAnswer(element, method, offered, ground, resumption)
        case .binding(let method, let offered, let ground):
            return features ? [] : receivedBindAnswer(element, method, offered, ground)
        case .startingSession(let bound): return features ? [] : receivedSessionAnswer(element, bound)
        case .idle, .opening, .securing, .finished, .failed: return unexpected(element)
        }
    }

    mutating func unexpected(_ element: Element) -> [Action] {
        fail(.unexpected(element: element.boundedName, during: phase))
    }

    private var isEncrypted: Bool {
        switch state {
        case .opening(let ground), .awaitingFeatures(let ground), .authenticating(_, let ground),
            .presenting(_, _, let ground), .loggingIn(_, _, let ground), .registering(_, _, let ground),
            .resuming(_, _, let ground, _),
            .binding(_, _, let ground):
            ground.encrypted
        case .startingSession(let bound): bound.encrypted
        case .idle, .requestingTLS, .securing, .finished, .failed: false
        }
    }
}
