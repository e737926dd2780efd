import BellhopCrypto
import BellhopEngine
import BellhopXMPP
import Testing

@Suite("Stop or try again")
struct RetryPolicyTests {
    static let other = HostAddress(host: "other.test", port: 5223)

    @Test(
        "each failure has its verdict, before the first session and after it",
        arguments: [
            (.login(.refused(.notAuthorized, text: nil)), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.refused(.accountDisabled, text: nil)), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.refused(.other("x"), text: nil)), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.refused(.temporaryAuthFailure, text: nil)), .retry, .retry),
            (.login(.serverNotGenuine(.wrongProof)), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.tokenNotProven), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.unexpected("x")), .retry, .retry),
            (.login(.noMechanism(offered: [], supported: [])), .stop(.loginRefused), .retry),
            (.login(.plainAfter(.scramSHA1)), .stop(.loginRefused), .retry),
            (.login(.cannotBind(.notOffered, offered: [])), .stop(.loginRefused), .retry),
            (.login(.contradictoryOffer), .stop(.loginRefused), .retry),
            (.login(.tasksWanted([])), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.anotherAccount("carol@example.org")), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.legacyShowsPassword), .stop(.loginRefused), .retry),
            (.login(.bindingRefused(.exporter, .notAuthorized, text: nil)), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.bindingHidden), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.serverNotGenuine(.offerChanged)), .stop(.loginRefused), .stop(.loginRefused)),
            (.login(.certificateRefused(.notAuthorized, text: nil)), .stop(.loginRefused), .stop(.loginRefused)),
            (.bindRefused(StanzaError(.conflict)), .stop(.conflict), .retry),
            (.bindRefused(StanzaError(.resourceConstraint)), .retry, .retry),
            (.bindRefused(StanzaError(.notAllowed)), .retry, .retry),
            (.encryptionNotOffered, .stop(.encryptionNotOffered), .retry),
            (.unsupportedVersion(nil), .stop(.encryptionNotOffered), .retry),
            (.encryptionRefused, .retry, .retry),
            (.tlsFailed, .retry, .retry),
            (.injectedBeforeTLS, .retry, .retry),
            (.registration(.taken), .stop(.registrationRefused), .stop(.registrationRefused)),
            (.closed(during: .login), .retry, .retry),
            (.timeLimitReached(during: .features), .retry, .retry),
            (.notAStream(root: "html"), .retry, .retry),
            (.unexpected(element: "x", during: .features), .retry, .retry),
        ] as [(NegotiationFailure, RetryPolicy.Verdict, RetryPolicy.Verdict)])
    func failures(failure: NegotiationFailure, before: RetryPolicy.Verdict, after: RetryPolicy.Verdict) {
        #expect(RetryPolicy.verdict(of: failure, everOnline: false, redirects: 0) == before)
        #expect(RetryPolicy.verdict(of: failure, everOnline: true, redirects: 0) == after)
    }

    @Test(
        "each stream error has its verdict",
        arguments: [
            (.conflict, .stop(.conflict), .stop(.conflict)),
            (.hostUnknown, .stop(.domainNotServed), .retry),
            (.hostGone, .stop(.domainNotServed), .retry),
            (.systemShutdown, .retry, .retry),
            (.policyViolation, .retry, .retry),
            (.notAuthorized, .retry, .retry),
            (.reset, .retry, .retry),
            (.undefinedCondition, .retry, .retry),
            (.seeOtherHost(nil), .retry, .retry),
            (.seeOtherHost(other), .follow(other), .follow(other)),
        ] as [(StreamError.Condition, RetryPolicy.Verdict, RetryPolicy.Verdict)])
    func streamErrors(condition: StreamError.Condition, before: RetryPolicy.Verdict, after: RetryPolicy.Verdict) {
        for (everOnline, expected) in [(false, before), (true, after)] {
            let error = StreamError(condition)
            #expect(
                RetryPolicy.verdict(of: error, encrypted: true, everOnline: everOnline, redirects: 0) == expected)
            let failure = NegotiationFailure.streamError(error, during: .login, encrypted: true)
            #expect(RetryPolicy.verdict(of: failure, everOnline: everOnline, redirects: 0) == expected)
        }
    }

    @Test("another host is followed three times in a row, and never from a stream in the clear")
    func redirects() {
        let error = StreamError(.seeOtherHost(Self.other))
        for (encrypted, redirects, follows) in [(true, 2, true), (true, 3, false), (false, 0, false)] {
            let verdict = RetryPolicy.verdict(of: error, encrypted: encrypted, everOnline: true, redirects: redirects)
            #expect(verdict == (follows ? .follow(Self.other) : .retry))
        }
    }
}
