internal import BellhopBot
internal import BellhopDiagnostics

extension ConfigurationForm where Value: ArgumentValue {
    /// A value of a type that can stand behind a command, too; the type's own reader decides what fits.
    static var setting: Self {
        let wanted = Value.argumentExpectation ?? Value.argumentKind.wanted
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                guard let text = Value.argumentKind.text(of: node.value) else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                if case .choice(let choices) = Value.argumentKind, !choices.contains(text) {
                    return .failure(ConfigurationFault(.notAllowed(found: text, allowed: choices), at: node))
                }
                // A number of JSON may be too large to be held.
                let isHeld = Value.argumentKind != .number || Double(text).map(\.isFinite) == true
                guard isHeld, let value = Value(argumentText: text) else {
                    return .failure(ConfigurationFault(.unfit(wanted: wanted, found: text), at: node))
                }
                return .success(value)
            },
            show: { value in
                switch Value.argumentKind {
                case .integer, .number, .flag: value.argumentText
                case .text, .choice, .rest: JSONText.string(value.argumentText)
                }
            })
    }
}

extension ConfigurationForm {
    /// A list of such values; each that does not fit is named by its number.
    static func settings<Element: ArgumentValue>() -> Self where Value == [Element] {
        let element = ConfigurationForm<Element>.setting
        var form = Self.list(of: "a list", show: { "\($0) values" }) { node, _ in element.read(node) }
        form.show = { values in "[\(values.map(element.show).joined(separator: ", "))]" }
        return form
    }
}

extension ArgumentKind {
    /// Continues "must be".
    fileprivate var wanted: String {
        switch self {
        case .text, .rest: "text"
        case .integer: "a whole number"
        case .number: "a number"
        case .flag: "true or false"
        case .choice(let choices): "one of \(choices.map { "\"\($0)\"" }.joined(separator: ", "))"
        }
    }

    /// The text that stands for a value in the file; nil where it is of another kind.
    fileprivate func text(of value: JSONValue) -> String? {
        switch (self, value) {
        case (.text, .string(let text)), (.rest, .string(let text)), (.choice, .string(let text)): return text
        case (.flag, .bool(let value)): return "\(value)"
        case (.integer, .number(let text)): return text
        case (.number, .number(let text)): return text
        default: return nil
        }
    }
}
