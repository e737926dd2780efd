/// A JSON value and where in the text it starts.
package struct JSONNode: Equatable, Sendable {
    package var value: JSONValue
    package var position: TextPosition

    package init(_ value: JSONValue, at position: TextPosition) {
        self.value = value
        self.position = position
    }
}

/// What a JSON text can hold (RFC 8259 section 3); descriptions show the kind only, since any text may be a secret.
package enum JSONValue: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    case null
    case bool(Bool)
    /// As it was written, which is a valid number.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// In the order of the text; a key that stands twice is here twice.
    case object([JSONMember])

    package var isObject: Bool {
        guard case .object = self else { return false }
        return true
    }

    /// The kind in words, like `text` or `a list`.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    package var description: String { kind }
    package var debugDescription: String { kind }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// One `"key": value` of an object.
package struct JSONMember: Equatable, Sendable {
    package var key: String
    /// Where the key stands.
    package var position: TextPosition
    package var node: JSONNode

    package init(key: String, position: TextPosition, node: JSONNode) {
        self.key = key
        self.position = position
        self.node = node
    }
}
