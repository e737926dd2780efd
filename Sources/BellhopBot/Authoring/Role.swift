/// A name for people who may run the same commands; the configuration says who has it.
///
/// `"night-shift"` is a role like `.ops`: every name that stands in the configuration's `roles` can be used.
public struct Role: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// As it stands in the configuration; upper and lower case are not the same.
    public let name: String

    public init(_ name: String) { self.name = name }

    public init(stringLiteral name: String) { self.init(name) }

    public var description: String { name }

    /// The persons of `admins`, who may run everything.
    public static let admins = Role("admins")
    /// The usual name for those who look after machines.
    public static let ops = Role("ops")
}
