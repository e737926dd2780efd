internal import BellhopDiagnostics
internal import BellhopTransport
internal import BellhopXMPP

extension ConfigurationForm where Value == JID {
    /// A bare address with a local part.
    static let account = ConfigurationForm(text: "an address like \"bot@example.org\"", show: { "\"\($0)\"" }) { text in
        account(text)
    }

    static func account(_ text: String) -> Result<JID, ConfigurationProblem.Kind> {
        do throws(JIDError) {
            let jid = try JID(text)
            if jid.local == nil { return .failure(.addressWithoutLocalPart(text)) }
            if !jid.isBare { return .failure(.addressHasResource(text)) }
            return .success(jid)
        } catch {
            return .failure(.notAnAddress(text, error))
        }
    }
}

extension ConfigurationForm where Value == [JID] {
    /// Bare addresses with a local part, each once after preparation.
    static let addresses = {
        let wanted = "a list of addresses"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                guard case .array(let elements) = node.value else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                var found: [JID: Int] = [:]
                var jids: [JID] = []
                var faults: [ConfigurationFault.Item] = []
                for (index, element) in elements.enumerated() {
                    switch ConfigurationForm<JID>.account.read(element) {
                    case .failure(let fault):
                        faults += fault.items.map { .init(place: "[\(index)]", position: $0.position, kind: $0.kind) }
                    case .success(let jid):
                        if let first = found[jid] {
                            let kind = ConfigurationProblem.Kind.duplicateAddress(jid.bareText, first: first)
                            faults.append(.init(place: "[\(index)]", position: element.position, kind: kind))
                        } else {
                            found[jid] = index
                            jids.append(jid)
                        }
                    }
                }
                return faults.isEmpty ? .success(jids) : .failure(ConfigurationFault(faults))
            },
            show: { JSONText.array($0.map { JSONText.string($0.bareText) }) })
    }()
}

extension ConfigurationForm where Value == [JID] {
    /// A list of addresses, or `false` for nobody.
    static let addressesOrFalse = {
        let named = addresses.named("a list of addresses or false")
        return ConfigurationForm(
            wanted: named.wanted,
            read: { node in node.value == .bool(false) ? .success([]) : named.read(node) },
            show: { $0.isEmpty ? "false" : addresses.show($0) })
    }()
}

extension ConfigurationForm where Value == JIDPattern {
    static let pattern = ConfigurationForm(text: "a pattern like \"*@example.org\"", show: { "\"\($0)\"" }) { text in
        do throws(JIDError) {
            return .success(try JIDPattern(text))
        } catch {
            return .failure(.notAPattern(text, error))
        }
    }
}

extension ConfigurationForm where Value == String {
    /// A resource, prepared (RFC 7622 section 3.4).
    static let resource = ConfigurationForm(text: "text", show: { JSONText.string($0) }) { text in
        do throws(JIDError) {
            return .success(try JID(local: nil, domain: "example.org", resource: text).resource ?? "")
        } catch {
            return .failure(error == .empty || error == .emptyPart(.resource) ? .emptyText : .malformedResource(error))
        }
    }

    /// A host name or an IP address, without a port.
    static let host = ConfigurationForm(text: "a host name or IP address", show: { JSONText.string($0) }) { text in
        guard let server = ServerText.read(text), server.hasDefaultPort, !server.isDirectTLS else {
            return .failure(.malformedServer)
        }
        return .success(server.host)
    }
}

extension ConfigurationForm where Value == Configuration.Server {
    /// `host`, `host:port`, `[IPv6]:port`, with `xmpps://` in front for direct TLS.
    static let server = ConfigurationForm(
        text: "text like \"xmpp.example.org:5222\", or an object with host and port",
        show: { JSONText.string(($0.directTLS ? "xmpps://" : "") + "\($0.host):\($0.port)") }
    ) { text in
        guard let server = ServerText.read(text) else {
            let rest = text.dropFirst(ServerText.needlessScheme.count)
            return .failure(
                text.hasPrefix(ServerText.needlessScheme) ? .serverWithScheme(String(rest)) : .malformedServer)
        }
        guard let port = server.port else { return .failure(.malformedPort) }
        return .success(Configuration.Server(host: server.host, port: port, directTLS: server.isDirectTLS))
    }
}

extension ConfigurationForm where Value == Configuration.NameServer {
    /// `address`, `address:port`, `[IPv6]:port`.
    static let nameServer = ConfigurationForm(
        text: "text like \"192.0.2.53\" or \"[2001:db8::53]:53\"",
        show: { JSONText.string("\(Endpoint(host: $0.address, port: $0.port))") }
    ) { text in
        guard let server = ServerText.read(text[...], standardPort: 53), Endpoint.isNumeric(server.host) else {
            return .failure(.malformedNameServer)
        }
        guard let port = server.port else { return .failure(.malformedPort) }
        return .success(Configuration.NameServer(address: server.host, port: port))
    }
}

extension ConfigurationForm where Value == [String] {
    /// A program and its arguments.
    static let command = {
        let wanted = "a list: the program and its arguments"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                guard case .array(let elements) = node.value, !elements.isEmpty else {
                    let found = node.value == .array([]) ? "an empty list" : node.value.kind
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: found), at: node))
                }
                var words: [String] = []
                for (index, element) in elements.enumerated() {
                    guard case .string(let word) = element.value else {
                        let kind = ConfigurationProblem.Kind.wrongType(wanted: "text", found: element.value.kind)
                        return .failure(ConfigurationFault(kind, at: element, place: "[\(index)]"))
                    }
                    if word.utf8.contains(0) {
                        return .failure(ConfigurationFault(.controlCharacter, at: element, place: "[\(index)]"))
                    }
                    if index == 0 && word.isEmpty {
                        return .failure(ConfigurationFault(.emptyText, at: element, place: "[0]"))
                    }
                    words.append(word)
                }
                return .success(words)
            },
            show: { JSONText.array($0.map { JSONText.string($0) }) })
    }()
}
