internal import BellhopBot
internal import BellhopDiagnostics

/// Marks a fault as something a `Result` can carry.
extension ConfigurationProblem.Kind: Error {}

extension ConfigurationForm where Value == String {
    /// Any text without control characters, at most `limit` UTF-8 bytes.
    static func text(limit: Int = 1024, manyLines: Bool = false) -> Self {
        ConfigurationForm(text: "text", show: { JSONText.string($0) }) { text in
            if text.isEmpty { return .failure(.emptyText) }
            if text.utf8.count > limit { return .failure(.tooLong(limit: limit)) }
            let allowed: Set<Unicode.Scalar> = manyLines ? ["\n", "\t"] : []
            if text.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .control && !allowed.contains($0)
            }) {
                return .failure(.controlCharacter)
            }
            return .success(text)
        }
    }

    /// A path; a relative one starts at the folder of the configuration file, `~/` at the home directory.
    static let path = text(limit: 4096).named("a path")

    /// What a command starts with: one to eight characters, without a space.
    static let prefix = ConfigurationForm(text: "text", show: { JSONText.string($0) }) { text in
        if text.isEmpty { return .failure(.emptyText) }
        if text.utf8.count > 8 { return .failure(.tooLong(limit: 8)) }
        let isUsable = text.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
        return isUsable ? .success(text) : .failure(.prefixHasSpace)
    }

    /// What people type to run a command.
    static let commandName = ConfigurationForm(text: "text", show: { JSONText.string($0) }) { text in
        if text.utf8.count > 64 { return .failure(.tooLong(limit: 64)) }
        return Bot.problem(withCommandName: text).map { .failure(.commandName($0)) } ?? .success(text)
    }

    /// The name of an argument of a configured command, which stands in braces and in a variable's name.
    static let argumentName = ConfigurationForm(text: "text", show: { JSONText.string($0) }) { text in
        text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]{0,63}/) != nil ? .success(text) : .failure(.malformedArgumentName)
    }

    /// A language tag (RFC 5646), only by its letters.
    static let language = ConfigurationForm(text: "a language like \"en\"", show: { JSONText.string($0) }) { text in
        text.wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil && text.utf8.count <= 64
            ? .success(text) : .failure(.malformedLanguage)
    }

    /// The name of an environment variable. What is no name is not shown, as it may be the password itself.
    static let variable = ConfigurationForm(text: "a variable's name", show: { JSONText.string($0) }) { text in
        text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil ? .success(text) : .failure(.malformedVariableName)
    }

    /// The name of a credential: a file name without a folder.
    static let credential = ConfigurationForm(text: "a credential's name", show: { JSONText.string($0) }) { text in
        text.wholeMatch(of: /[A-Za-z0-9_@.-]{1,255}/) != nil && text != "." && text != ".."
            ? .success(text) : .failure(.malformedCredentialName)
    }
}

extension ConfigurationForm where Value == Secret {
    /// Any text at all, since every character may stand in a password.
    static let secret = ConfigurationForm(
        text: "text, or an object with one of env, file, command, credential", show: { "\($0)" }
    ) {
        $0.isEmpty ? .failure(.emptySecret) : .success(Secret($0))
    }
}

extension ConfigurationForm where Value == Bool {
    static let bool = ConfigurationForm(
        wanted: "true or false",
        read: { node in
            guard case .bool(let value) = node.value else {
                return .failure(
                    ConfigurationFault(.wrongType(wanted: "true or false", found: node.value.kind), at: node))
            }
            return .success(value)
        },
        show: { "\($0)" })
}

extension ConfigurationForm where Value == Int {
    /// A whole number of the range.
    static func integer(_ range: ClosedRange<Int>) -> Self {
        ConfigurationForm(
            wanted: "a number",
            read: { node in
                guard case .number(let text) = node.value else {
                    return .failure(
                        ConfigurationFault(.wrongType(wanted: "a number", found: node.value.kind), at: node))
                }
                guard let number = Int(text) else { return .failure(ConfigurationFault(.noInteger, at: node)) }
                guard range.contains(number) else {
                    return .failure(ConfigurationFault(.outOfRange(range), at: node))
                }
                return .success(number)
            },
            show: { "\($0)" })
    }
}

extension ConfigurationForm where Value == Int? {
    /// A whole number of the range, or `false` for none.
    static func integerOrFalse(_ range: ClosedRange<Int>) -> Self {
        let integer = ConfigurationForm<Int>.integer(range)
        let wanted = "a number or false"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                if node.value == .bool(false) { return .success(nil) }
                guard case .number = node.value else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                return integer.read(node).map { $0 }
            },
            show: { $0.map { "\($0)" } ?? "false" })
    }
}

extension ConfigurationForm where Value == UInt16 {
    static let port = ConfigurationForm(
        wanted: "a port number",
        read: { node in ConfigurationForm<Int>.integer(1...65_535).read(node).map { UInt16($0) } },
        show: { "\($0)" })
}

extension ConfigurationForm where Value == Duration {
    /// A whole number and its unit: `s`, `m`, `h` or `d`.
    static func duration(_ range: ClosedRange<Duration>) -> Self {
        let wanted = "a duration like \"30s\""
        return ConfigurationForm(text: wanted, show: { JSONText.string(DurationText.show($0)) }) { text in
            guard let duration = DurationText.read(text) else { return .failure(.malformedDuration) }
            return range.contains(duration) ? .success(duration) : .failure(.durationOutOfRange(range))
        }
    }
}

extension ConfigurationForm where Value == Duration? {
    /// A duration of the range, or `"off"` for none.
    static func durationOrOff(_ range: ClosedRange<Duration>) -> Self {
        let duration = ConfigurationForm<Duration>.duration(range)
        return ConfigurationForm(
            wanted: duration.wanted + ", or \"off\"",
            read: { node in
                node.value == .string("off") ? .success(nil) : duration.read(node).map { $0 }
            },
            show: { $0.map(duration.show) ?? "\"off\"" }
        ).named(duration.wanted + ", or \"off\"")
    }

    /// A duration of the range, or `"forever"`.
    static func durationOrForever(_ range: ClosedRange<Duration>) -> Self {
        let wanted = "\"forever\", or a duration like \"90d\""
        return ConfigurationForm(
            text: wanted, show: { $0.map { JSONText.string(DurationText.show($0)) } ?? "\"forever\"" }
        ) { text in
            if text == "forever" { return .success(nil) }
            guard let duration = DurationText.read(text) else { return .failure(.malformedDuration) }
            return range.contains(duration) ? .success(duration) : .failure(.durationOutOfRange(range))
        }
    }
}

extension ConfigurationForm where Value: RawRepresentable & CaseIterable & Equatable, Value.RawValue == String {
    /// One of the words of an enumeration.
    static var word: Self { word(of: Value.allCases.map { $0 }) { $0.rawValue } }
}

extension ConfigurationForm where Value: Equatable {
    /// One of the values given, by its name.
    static func word(of values: [Value], name: @escaping @Sendable (Value) -> String) -> Self {
        let names = values.map(name)
        return ConfigurationForm(
            text: "one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))", show: { JSONText.string(name($0)) }
        ) { text in
            guard let value = values.first(where: { name($0) == text }) else {
                return .failure(.notAllowed(found: text, allowed: names))
            }
            return .success(value)
        }
    }
}
