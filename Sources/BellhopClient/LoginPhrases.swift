internal import BellhopCrypto
internal import BellhopEngine
internal import BellhopTransport
internal import BellhopXML
internal import BellhopXMPP

/// The sentences in which an operator learns why there is no session: what failed, with what, and what to do.
enum LoginPhrases {
    static func sentence(_ cause: BreakCause, settings: AccountSettings) -> String {
        settings.secrets.cut(fromQuotationsIn: words(cause, settings: settings))
    }

    private static func words(_ cause: BreakCause, settings: AccountSettings) -> String {
        let domain = settings.jid.domain
        switch cause {
        case .transport(.closed): return "the server closed the connection"
        case .transport(.timedOut): return "no connection to \(place(settings)) within \(settings.timeout.seconds) s"
        case .transport(.unreachable(let attempts)) where attempts.isEmpty:
            return "no connection to \(place(settings)) within \(settings.timeout.seconds) s"
        case .transport(.unreachable(let attempts))
        where attempts.count == 1 && attempts[0].address == settings.server?.endpoint.host:
            return "cannot reach \(place(settings)): \(attempts[0].reason)"
        case .transport(let error): return "cannot reach \(place(settings)): \(error)"
        case .link(.transport(let error), let phase):
            return "the connection broke \(during(phase)): \(error)" + perhapsDirectTLS(phase, settings)
        case .link(.tls(let error), _): return tls(error, settings: settings)
        case .negotiation(let failure): return sentence(failure, settings: settings)
        case .nowhere(let lookup): return nowhere(lookup, domain: domain)
        case .everyTarget(let failures, let lookup): return everyTarget(failures, lookup, settings: settings)
        case .streamError(let error, _): return streamError(error, settings)
        case .streamClosed: return "the server ended the stream"
        case .silent: return silent(settings)
        case .miscounted(let fault): return miscounted(fault)
        case .unreadable(let fault): return "the server sent what is no XMPP: \(Self.fault(fault, settings))"
        }
    }

    static let triesNewerPassword =
        "The server does not take the password any more; trying the one that is in its file now, or waits beside it"

    static let tokenRefused =
        "The server does not take the token of an earlier login any more; logging in with the password"

    static func unusable(_ fault: CredentialsFault, account: JID) -> String {
        switch fault {
        case .user: "account.jid: \(account) has no user name that can be used to log in"
        case .password: "account.password holds a character that no password may hold, like a control character"
        case .emptyPassword: "account.password is empty"
        case .unavailable(let code): "the Unicode library fails (ICU \(code)); reinstall Debian's libicu"
        }
    }

    private static func silent(_ settings: AccountSettings) -> String {
        "the server said nothing more and did not answer a ping within \(settings.pingTimeout.seconds) s"
    }

    private static func place(_ settings: AccountSettings) -> String {
        settings.server.map(shown) ?? "the XMPP server of \(settings.jid.domain)"
    }

    private static func sentence(_ failure: NegotiationFailure, settings: AccountSettings) -> String {
        let domain = settings.jid.domain
        switch failure {
        case .encryptionNotOffered:
            return "the server of \(domain) offers no encryption (STARTTLS), so nothing was sent to it; "
                + "let the server offer TLS, or check that nobody sits between"
        case .encryptionRefused: return "the server of \(domain) offered encryption (STARTTLS) and then refused it"
        case .injectedBeforeTLS:
            return "something wrote into the connection before encryption was up; somebody may sit between"
        case .tlsFailed: return "the encrypted connection to \(domain) could not be made"
        case .login(let failure): return login(failure, settings: settings)
        case .registration(let failure):
            return RegistrationPhrases.sentence(failure, account: settings.jid, secrets: settings.secrets)
        case .bindNotOffered: return "the server took the login and offers no session"
        case .bindRefused(let error):
            return
                "the server refused the resource \(settings.resource) (\(described(error, settings))); choose another account.resource"
        case .malformedBinding: return "the server named no address for the session"
        case .sessionRefused(let error): return "the server refused the session (\(described(error, settings)))"
        case .unsupportedVersion(let version):
            return
                "the server speaks XMPP \(version.map { said($0, settings) } ?? "before 1.0"), which knows neither encryption nor a safe login"
        case .notAStream(let root): return "what answered is no XMPP server: it opened <\(said(root, settings))>"
        case .streamError(let error, _, _): return streamError(error, settings)
        case .unreadable(let fault, let phase):
            return "the server sent what is no XMPP \(during(phase)): \(Self.fault(fault, settings))"
        case .unexpected(let element, let phase):
            return "the server sent an unexpected <\(said(element, settings))> \(during(phase))"
        case .closed(let phase):
            return "the server closed the connection \(during(phase))" + perhapsDirectTLS(phase, settings)
        case .timeLimitReached(let phase):
            return
                "the login took more than \(settings.timeout.seconds) s (\(during(phase))); account.timeout sets the limit"
        }
    }

    private static func login(_ failure: SASLFailure, settings: AccountSettings) -> String {
        switch failure {
        case .noMechanism(let offered, let supported):
            return "authentication is not possible: the server offers \(list(offered, settings)), "
                + "the bot can use \(supported.joined(separator: ", "))\(advice(offered, settings))"
        case .plainAfter(let mechanism):
            return
                "authentication given up before anything was sent: the server offers PLAIN and no SCRAM now, and it took "
                + "\(mechanism.rawValue) for \(settings.jid) before, so somebody may sit between who is after the password; "
                + "if the server was changed on purpose, the command login reset allows PLAIN again"
        case .cannotBind(let obstacle, let offered):
            return "authentication given up before anything was sent: \(cannotBind(obstacle, offered, settings))"
                + (settings.channelBinding == .required
                    ? "; account.channelBinding \u{201C}required\u{201D} insists on it, \u{201C}auto\u{201D} does not"
                    : "")
        case .bindingRefused(let type, let condition, let text):
            return "authentication refused for \(settings.jid) (\(said(condition.name, settings)))"
                + quoted(text, settings)
                + "; user name or password is wrong, or the server sees another TLS connection than the bot "
                + "(\(type.rawValue)): somebody may sit between, or a proxy of the server's own that ends TLS, for which "
                + "account.channelBinding \u{201C}off\u{201D} is meant"
        case .bindingHidden:
            return
                "authentication failed: the server can bind the login to the TLS connection, and what it offered as it "
                + "arrived here says that it cannot; somebody may sit between"
        case .certificateRefused(let condition, let text):
            return
                "the server did not take the certificate as that of \(settings.jid) (\(said(condition.name, settings)))"
                + quoted(text, settings)
                + "; it has to name the account, and its authority has to be one that the server trusts"
        case .contradictoryOffer:
            return
                "authentication given up before anything was sent: what the server offers by SASL2 contradicts itself "
                + "(channel binding without a mechanism for it, or the other way round), so somebody may sit between; if the "
                + "server is just set up so, account.channelBinding \u{201C}off\u{201D} does without"
        case .tasksWanted(let tasks):
            return "authentication given up: besides the password the server wants "
                + (tasks.isEmpty
                    ? "something that it does not name"
                    : tasks.map { quoted($0, settings).dropFirst(2) }.joined(separator: ", "))
                + ", which a bot cannot do; let the server exempt \(settings.jid) from it"
        case .anotherAccount(let account):
            return
                "authentication given up: the server logged the bot in as \(said(account, settings)), and not as \(settings.jid.bareText); "
                + "look into the server's accounts, or mend account.jid"
        case .legacyShowsPassword:
            return "authentication is not possible: the server has only jabber:iq:auth with the password itself; "
                + "account.allowPlain allows that inside TLS"
        case .refused(.notAuthorized, let text):
            return "authentication failed for \(settings.jid): user name or password is wrong"
                + quoted(text, settings) + "; mend account.jid or account.password and start again"
        case .refused(let condition, let text):
            return "authentication refused for \(settings.jid) (\(said(condition.name, settings)))"
                + quoted(text, settings)
        case .serverNotGenuine(let fault):
            return scram(fault, settings)
        case .tokenNotProven:
            return
                "authentication failed: the server took the token of an earlier login and did not prove that it knows it; "
                + "somebody may sit between; the command login reset forgets the token"
        case .unexpected(let element):
            return "authentication failed: the server answered with <\(said(element, settings))>"
        }
    }

    private static func list(_ offered: [String], _ settings: AccountSettings) -> String {
        offered.isEmpty
            ? "no way to authenticate" : "only \(offered.map { said($0, settings) }.joined(separator: ", "))"
    }

    private static func advice(_ offered: [String], _ settings: AccountSettings) -> String {
        if offered.contains("PLAIN"), !settings.allowsPlain { return "; account.allowPlain allows PLAIN inside TLS" }
        if offered.contains(Namespace.sasl2), !settings.usesSASL2 {
            return "; account.sasl2 \u{201C}auto\u{201D} allows SASL2"
        }
        guard offered.contains(Namespace.legacyLogin), !settings.allowsLegacyLogin else { return "" }
        return "; account.allowLegacyLogin allows jabber:iq:auth"
    }

    private static func cannotBind(
        _ obstacle: ChannelBindingObstacle, _ offered: [String], _ settings: AccountSettings
    ) -> String {
        switch obstacle {
        case .nothingToBindTo: "there is no TLS connection that a login can be bound to"
        case .notOffered: "the server cannot bind a login to the TLS connection (it offers \(list(offered, settings)))"
        case .noCommonType(let listed, let ours):
            "the server binds a login to the TLS connection by \(listed.map { said($0, settings) }.joined(separator: ", ")), "
                + "the bot by \(ours.map(\.rawValue).joined(separator: ", "))"
        }
    }

    private static func scram(_ fault: SCRAMFault, _ settings: AccountSettings) -> String {
        switch fault {
        case .wrongProof, .noProof:
            "authentication failed: the server did not prove that it knows the password; somebody may sit between"
        case .tooManyIterations(let count, let most):
            "authentication given up: the server asks for \(count.map(String.init) ?? "too many") SCRAM iterations, "
                + "and more than \(most) could keep the bot busy for as long as anybody likes; lower it on the server"
        case .tooFewIterations(let count, let least):
            "authentication given up: the server asks for \(count) SCRAM iterations, and fewer than \(least) protect "
                + "the password too little; raise it on the server"
        case .mandatoryExtension:
            "authentication given up: the server asks for a SCRAM extension that the bot does not know"
        case .offerChanged:
            "authentication given up: the server offered other ways to log in than those that arrived here; somebody may "
                + "sit between"
        case .serverError(let word): "authentication failed: the server said \(quoted(word, settings).dropFirst(2))"
        case .malformed, .nonce, .unexpected:
            "authentication failed: what the server answered is no SCRAM; somebody may sit between"
        }
    }

    private static func tls(_ error: TLSError, settings: AccountSettings) -> String {
        let domain = settings.jid.domain
        switch error {
        case .certificate(let fault, let certificate):
            return CertificatePhrases.sentence(fault, certificate, settings: settings)
        case .handshake(let reason):
            return "no encrypted connection to \(domain): \(reason)" + ownCertificate(reason, settings)
                + perhapsStartTLS(reason, settings)
        case .protocol(let reason):
            return "the encrypted connection to \(domain) broke: \(reason)" + ownCertificate(reason, settings)
        case .trustFile(let path, let reason):
            return "account.trust.ca: cannot read authorities from \(path): \(reason)"
        case .identityFile(let path, let reason):
            return "account.certificate: cannot use the bot's own certificate or key \(path): \(reason)"
        case .name(let name): return "\(name) is no name that a certificate could prove"
        case .setup(let reason): return "OpenSSL could not be set up: \(reason)"
        }
    }

    /// In TLS a server refuses a client's certificate by an alert, in TLS 1.3 when the client takes the handshake for done.
    private static func ownCertificate(_ reason: String, _ settings: AccountSettings) -> String {
        guard let identity = settings.identity, reason.contains("alert") else { return "" }
        return "; perhaps the server does not take the bot's own certificate, \(identity.certificateFile)"
    }

    /// A port for STARTTLS answers a handshake with words.
    private static func perhapsStartTLS(_ reason: String, _ settings: AccountSettings) -> String {
        guard settings.server?.security == .directTLS, reason.contains("wrong version number") else { return "" }
        return "; perhaps TLS does not come first on that port: leave xmpps:// out of account.server"
    }

    /// A port where TLS comes first hangs up on a stream in the clear.
    private static func perhapsDirectTLS(_ phase: NegotiationPhase, _ settings: AccountSettings) -> String {
        guard settings.server?.security == .startTLS, settings.requiresTLS, phase == .opening else { return "" }
        return "; if TLS comes first on that port, write xmpps:// in front of it in account.server"
    }

    private static func streamError(_ error: StreamError, _ settings: AccountSettings) -> String {
        let domain = settings.jid.domain
        let words = quoted(error.text, settings)
        switch error.condition {
        case .hostUnknown, .hostGone:
            return "the server does not serve the domain \(domain) (\(error.condition.name))\(words); "
                + "account.jid needs the domain that the server serves, account.server says where it runs"
        case .conflict:
            return "another session took over this account and resource (conflict)\(words); "
                + "stop it, or give this one another account.resource"
        // Prosody's words; it says so before TLS, and no condition says it.
        case .undefinedCondition where error.text?.contains("No stream features") == true:
            return
                "the server ended the stream (\(error.condition.name))\(words); it has neither encryption nor a login for "
                + "\(domain), mostly because it has no certificate for that domain: give it one, and reload it"
        case .systemShutdown: return "the server is shutting down (system-shutdown)\(words)"
        case .seeOtherHost(let address?):
            return
                "the server sends us on to \(said("\(address)", settings)) (see-other-host)\(words), which is followed only inside TLS and at "
                + "most \(RetryPolicy.mostRedirects) times in a row"
        default: return "the server ended the stream (\(error.condition.name))\(words)"
        }
    }

    private static func fault(_ fault: StreamFault, _ settings: AccountSettings) -> String {
        switch fault {
        case .notWellFormed(let line, let reason):
            "not well-formed (line \(line): \(said(reason, settings).prefix(120)))"
        case .restrictedXML(let what): "forbidden XML (\(said(what, settings).prefix(120)))"
        case .policyViolation(let what): "over a limit (\(said(what, settings).prefix(120)))"
        case .unsupportedEncoding: "not UTF-8"
        }
    }

    private static func described(_ error: StanzaError, _ settings: AccountSettings) -> String {
        error.condition.rawValue + quoted(error.text, settings)
    }

    /// A server's own words, without what it was told.
    private static func said(_ words: String, _ settings: AccountSettings) -> String {
        settings.secrets.cut(from: words)
    }

    /// The same, bounded and in quotes.
    private static func quoted(_ text: String?, _ settings: AccountSettings) -> String {
        guard let text, !text.isEmpty else { return "" }
        return ": \u{201C}\(said(text, settings).prefix(200))\u{201D}"
    }

    private static func during(_ phase: NegotiationPhase) -> String {
        switch phase {
        case .opening: "before it said anything"
        case .features: "before it said what it offers"
        case .connecting, .startTLS, .handshake: "while encryption was being set up"
        case .login: "during the login"
        case .registration: "during the registration"
        case .creation: "while it made the account, which may be there now: check --online tells"
        case .resumption: "while the broken stream was being taken up"
        case .binding, .session: "while the session was being made"
        case .finished: "while online"
        }
    }

    private static func miscounted(_ fault: StreamManagement.Fault) -> String {
        switch fault {
        case .tooHigh(let handled, let sent):
            "the server acknowledged \(handled) stanzas, and \(sent) were sent; this is a fault of the server"
        case .backwards(let handled, let before):
            "the server acknowledged \(handled) stanzas after \(before); this is a fault of the server"
        case .unreadable: "the server acknowledged without a number; this is a fault of the server"
        case .unacknowledged(let count):
            "the server acknowledged none of the last \(count) stanzas; this is a fault of the server"
        }
    }
}

extension Duration {
    /// Whole seconds.
    var seconds: Int64 { components.seconds }
}
