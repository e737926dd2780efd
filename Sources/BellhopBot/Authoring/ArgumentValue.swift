public import BellhopXMPP

/// A type whose values people can type behind a command.
///
/// An enum of choices needs no code: `enum Level: String, CaseIterable, ArgumentValue { case debug, info }`. Another type
/// says what is expected, and reads it: nil from `init?(argumentText:)` is answered with the expectation and the usage.
public protocol ArgumentValue: Sendable {
    /// Which texts are let through to `init?(argumentText:)`.
    static var argumentKind: ArgumentKind { get }
    /// What is expected, in words that can stand behind "must be", like "an address"; nil says what the kind says.
    static var argumentExpectation: String? { get }

    /// The value of a text that fits the kind. Numbers come in ASCII digits, flags as `true` or `false`, choices as they
    /// are declared, however they were typed.
    init?(argumentText text: String)
    /// How the value would be typed; the help shows defaults so.
    var argumentText: String { get }
}

extension ArgumentValue {
    public static var argumentKind: ArgumentKind { .text }
    public static var argumentExpectation: String? { nil }
    public var argumentText: String { "\(self)" }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public static var argumentKind: ArgumentKind { .choice(allCases.map(\.rawValue)) }
    public init?(argumentText text: String) { self.init(rawValue: text) }
    public var argumentText: String { rawValue }
}

extension String: ArgumentValue {
    public init?(argumentText text: String) { self = text }
}

extension Int: ArgumentValue {
    public static var argumentKind: ArgumentKind { .integer }
    public init?(argumentText text: String) { self.init(text) }
}

extension Double: ArgumentValue {
    public static var argumentKind: ArgumentKind { .number }
    public init?(argumentText text: String) { self.init(text) }
    public var argumentText: String { ParsedValue.number(self).text }
}

extension Bool: ArgumentValue {
    public static var argumentKind: ArgumentKind { .flag }
    public init?(argumentText text: String) { self.init(text) }
}

extension JID: ArgumentValue {
    public static var argumentExpectation: String? { Phrases.address }
    public init?(argumentText text: String) {
        guard let address = try? JID(text) else { return nil }
        self = address
    }
}
