internal import BellhopCrypto
internal import BellhopDiagnostics

extension ConfigurationForm {
    /// A list of objects, each read on its own, so that every one of them is complained about.
    static func list<Element: Sendable>(
        of wanted: String, show: @escaping @Sendable (Int) -> String,
        element: @escaping @Sendable (JSONNode, Int) -> Result<Element, ConfigurationFault>
    ) -> ConfigurationForm<[Element]> where Value == [Element] {
        ConfigurationForm<[Element]>(
            wanted: wanted,
            read: { node in
                guard case .array(let nodes) = node.value else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                var elements: [Element] = []
                var faults: [ConfigurationFault.Item] = []
                for (index, node) in nodes.enumerated() {
                    switch element(node, index) {
                    case .success(let element): elements.append(element)
                    case .failure(let fault): faults += fault.under("[\(index)]").items
                    }
                }
                return faults.isEmpty ? .success(elements) : .failure(ConfigurationFault(faults))
            },
            show: { $0.isEmpty ? "[]" : show($0.count) })
    }
}

extension ConfigurationFault {
    /// The same faults, seen from further above.
    func under(_ place: String) -> ConfigurationFault {
        ConfigurationFault(
            items.map { item in
                let full = ConfigurationWalker<Int>.join(
                    place, item.place.hasPrefix(".") ? String(item.place.dropFirst()) : item.place)
                return Item(place: full, position: item.position, kind: item.kind)
            })
    }
}

extension ConfigurationWalker {
    /// What was reported, as a fault of the object that was walked through.
    func fault(in node: JSONNode) -> ConfigurationFault {
        ConfigurationFault(
            problems.map { .init(place: $0.path, position: $0.position ?? node.position, kind: $0.kind) })
    }
}

extension ConfigurationForm where Value == [String] {
    /// A list of texts without control characters, none of them empty.
    static let texts = ConfigurationForm<[String]>.list(of: "a list of texts", show: { "\($0) texts" }) { node, _ in
        ConfigurationForm<String>.text().read(node)
    }
}

extension ConfigurationForm where Value == [CertificatePin] {
    /// Keys of certificates by their hashes; none of them is any.
    static let pins = ConfigurationForm<[CertificatePin]>.list(
        of: "a list of pins like [\"sha256:...\"]", show: { "\($0) pins" }
    ) { node, _ in
        ConfigurationForm<CertificatePin>(
            text: "a pin like \"sha256:...\"", show: { JSONText.string($0.description) }
        ) { text in
            CertificatePin(text).map { .success($0) } ?? .failure(.malformedPin)
        }.read(node)
    }
}

extension ConfigurationForm where Value == String {
    /// A text, a number, true or false, in the form in which a person would type it.
    static let scalar = {
        let wanted = "text, a number, true or false"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                switch node.value {
                case .string(let text): .success(text)
                case .number(let text): .success(text)
                case .bool(let value): .success("\(value)")
                case .null, .array, .object:
                    .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
            },
            show: { JSONText.string($0) })
    }()
}

extension ConfigurationForm where Value == TextPattern {
    /// A POSIX extended regular expression.
    static let expression = ConfigurationForm(
        text: "a regular expression like \"[a-z0-9.-]+\"", show: { JSONText.string($0.source) }
    ) { text in
        TextPattern(text).map { .success($0) } ?? .failure(.notAnExpression)
    }
}
