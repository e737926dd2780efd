internal import BellhopUnicode

extension JID {
    /// The most bytes that one part may have (RFC 7622 section 3.1).
    static let partLimit = 1023

    /// How the resource is judged: our own must be right, that of a stranger only readable.
    enum ResourceRule { case strict, lenient }

    /// Reads and prepares an address; throws what is wrong with it.
    public init(_ text: String) throws(JIDError) {
        try self.init(text, resource: .strict)
    }

    /// Reads an address from the wire: a resource that its own server let through is kept as it came, where it cannot
    /// be prepared. The stranger's phone may be newer than our Unicode tables.
    package init(received text: String) throws(JIDError) {
        try self.init(text, resource: .lenient)
    }

    /// Puts an address together from its parts and prepares them; throws what is wrong with the first bad one.
    public init(local: String? = nil, domain: String, resource: String? = nil) throws(JIDError) {
        let domain = try JID.preparedDomain(domain)
        let resource = if let resource { try JID.preparedResource(resource, as: .strict) } else { String?.none }
        if let local {
            let local = try JID.preparedLocal(local)
            self.init(bareText: local + "@" + domain, resource: resource, localLength: local.utf8.count)
        } else {
            self.init(bareText: domain, resource: resource, localLength: 0)
        }
    }

    private init(_ text: String, resource rule: ResourceRule) throws(JIDError) {
        let bytes = text.utf8.span
        let scan = JIDScan(bytes)
        if scan.isPrepared {
            guard let slash = scan.slash else {
                self.init(bareText: text, resource: nil, localLength: scan.at ?? 0)
                return
            }
            // Copied by way of spans, which costs two thirds of what substrings do.
            if let bareText = try? String(copying: UTF8Span(validating: bytes.extracting(..<slash))),
                let resource = try? String(copying: UTF8Span(validating: bytes.extracting((slash + 1)...)))
            {
                self.init(bareText: bareText, resource: resource, localLength: scan.at ?? 0)
                return
            }
        }
        try self.init(preparing: text, scan, resource: rule)
    }

    private init(preparing text: String, _ scan: JIDScan, resource rule: ResourceRule) throws(JIDError) {
        guard !text.isEmpty else { throw .empty }
        var bare = text[...]
        var resource: String?
        if let slash = scan.slash {
            let cut = text.utf8.index(text.startIndex, offsetBy: slash)
            bare = text[..<cut]
            resource = try JID.preparedResource(String(text[text.utf8.index(after: cut)...]), as: rule)
        }
        guard let at = scan.at else {
            self.init(bareText: try JID.preparedDomain(String(bare)), resource: resource, localLength: 0)
            return
        }
        let cut = text.utf8.index(text.startIndex, offsetBy: at)
        let local = try JID.preparedLocal(String(bare[..<cut]))
        let domain = try JID.preparedDomain(String(bare[bare.utf8.index(after: cut)...]))
        self.init(bareText: local + "@" + domain, resource: resource, localLength: local.utf8.count)
    }

    static func preparedLocal(_ text: String) throws(JIDError) -> String {
        let prepared = try prepared(text, as: .local, by: Preparation.usernameCaseMapped)
        // After the mapping, because it turns the full-width forms of these into the plain ones.
        for scalar in prepared.unicodeScalars where JID.isForbiddenInLocal(scalar) {
            throw .forbidden(.local, scalar)
        }
        return prepared
    }

    static func preparedDomain(_ text: String) throws(JIDError) -> String {
        let prepared = try prepared(text, as: .domain, by: Preparation.domain)
        // A domain that holds a separator would be cut elsewhere when it is read again.
        for byte in prepared.utf8 where byte <= 0x20 || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "/") {
            throw .invalidDomain
        }
        return prepared
    }

    static func preparedResource(_ text: String, as rule: ResourceRule) throws(JIDError) -> String {
        do {
            return try prepared(text, as: .resource, by: Preparation.opaqueString)
        } catch {
            switch (rule, error) {
            case (.lenient, .forbidden), (.lenient, .mixedDirection), (.lenient, .unsettled), (.lenient, .unavailable):
                guard text.utf8.count <= partLimit else { throw .tooLong(.resource) }
                return text
            default: throw error
            }
        }
    }

    /// RFC 7622 section 3.3.1.
    private static func isForbiddenInLocal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "&", "'", "/", ":", "<", ">", "@", " ": true
        default: false
        }
    }

    private static func prepared(
        _ text: String, as part: JIDPart, by prepare: (String) throws(PreparationFault) -> String
    ) throws(JIDError) -> String {
        guard !text.isEmpty else { throw .emptyPart(part) }
        // Preparation can shorten a text to a third, never more; what is longer than that is not worth looking up.
        guard text.utf8.count <= 4 * partLimit else { throw .tooLong(part) }
        let prepared: String
        do {
            prepared = try prepare(text)
        } catch {
            switch error {
            case .forbidden(let scalar): throw .forbidden(part, scalar)
            case .bidi: throw .mixedDirection(part)
            case .empty: throw .emptyPart(part)
            case .invalidDomain: throw .invalidDomain
            case .domainTooLong: throw .tooLong(.domain)
            case .unstable: throw .unsettled(part)
            case .unavailable: throw .unavailable
            }
        }
        guard !prepared.isEmpty else { throw .emptyPart(part) }
        guard prepared.utf8.count <= partLimit else { throw .tooLong(part) }
        return prepared
    }
}
