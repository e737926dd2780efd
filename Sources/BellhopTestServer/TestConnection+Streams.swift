package import BellhopXML

/// Stream management (XEP-0198), as a server that offers it plays it.
extension TestConnection {
    package static let streamManagement = "urn:xmpp:sm:3"
    package static let offersStreams = "<sm xmlns='urn:xmpp:sm:3'/>"

    /// Plays a login up to the features behind SASL, which offer binding and stream management.
    package func authenticate(offering features: String) async throws {
        let tls = "urn:ietf:params:xml:ns:xmpp-tls"
        if options.tls != nil {
            try await open(features: "<starttls xmlns='\(tls)'><required/></starttls>")
            try await secure()
        }
        try await open(features: options.saslFeatures)
        _ = try await authenticate(options.accounts.keys.first.map { "\($0)@\(options.domain)" } ?? "")
        try await open(features: "<bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/>\(features)")
    }

    /// Waits for `<enable/>` and grants it; returns it.
    @discardableResult
    package func enableStream(id: String = "s1", more: String = "resume='true' max='600'") async throws -> Element {
        let enable = try await expect("enable", Self.streamManagement)
        send("<enabled xmlns='\(Self.streamManagement)' id='\(id)' \(more)/>")
        return enable
    }

    /// Asks the client how many stanzas it has handled; its answer.
    package func askForCount() async throws -> String? {
        send("<r xmlns='\(Self.streamManagement)'/>")
        return try await expect("a", Self.streamManagement)["h"]
    }

    /// Says how many of the client's stanzas were handled.
    package func acknowledge(_ count: Int) { send("<a xmlns='\(Self.streamManagement)' h='\(count)'/>") }

    /// Plays a login up to the client's `<resume/>`; returns it.
    package func expectResumption() async throws -> Element {
        try await authenticate(offering: Self.offersStreams)
        return try await expect("resume", Self.streamManagement)
    }

    /// Grants a resumption.
    package func resumeStream(id: String = "s1", handled: Int) {
        send("<resumed xmlns='\(Self.streamManagement)' h='\(handled)' previd='\(id)'/>")
    }
}
