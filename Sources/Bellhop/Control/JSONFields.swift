internal import BellhopXMPP

/// Takes an object apart, each member once; what nobody asked for is a fault, so that a misspelt key is never ignored.
struct JSONFields {
    private var members: [String: JSONValue] = [:]

    /// What is wrong with an object, for who wrote the program on the other side.
    struct Fault: Error, Equatable {
        var sentence: String

        init(_ sentence: String) { self.sentence = sentence }
    }

    init(_ value: JSONValue) throws(Fault) {
        guard case .object(let members) = value else { throw Fault("an object is wanted, not \(value.kind)") }
        for member in members where self.members.updateValue(member.node.value, forKey: member.key) != nil {
            throw Fault("a key stands there twice")
        }
    }

    mutating func string(_ key: String) throws(Fault) -> String {
        guard case .string(let text) = try take(key) else { throw Fault("\(key) has to be text") }
        return text
    }

    /// Nil for `null`.
    mutating func optionalString(_ key: String) throws(Fault) -> String? {
        switch try take(key) {
        case .null: return nil
        case .string(let text): return text
        case .bool, .number, .array, .object: throw Fault("\(key) has to be text or null")
        }
    }

    mutating func bool(_ key: String) throws(Fault) -> Bool {
        guard case .bool(let value) = try take(key) else { throw Fault("\(key) has to be true or false") }
        return value
    }

    mutating func integer(_ key: String) throws(Fault) -> Int {
        guard case .number(let text) = try take(key), let number = Int(text) else {
            throw Fault("\(key) has to be a whole number")
        }
        return number
    }

    /// Nil for `null`.
    mutating func optionalInteger(_ key: String) throws(Fault) -> Int? {
        switch try take(key) {
        case .null: return nil
        case .number(let text):
            guard let number = Int(text) else { throw Fault("\(key) has to be a whole number") }
            return number
        case .bool, .string, .array, .object: throw Fault("\(key) has to be a whole number or null")
        }
    }

    mutating func moment(_ key: String) throws(Fault) -> Timestamp {
        guard let moment = Timestamp(try string(key)) else { throw Fault("\(key) is no time") }
        return moment
    }

    /// Nil for `null`.
    mutating func optionalMoment(_ key: String) throws(Fault) -> Timestamp? {
        guard let text = try optionalString(key) else { return nil }
        guard let moment = Timestamp(text) else { throw Fault("\(key) is no time") }
        return moment
    }

    /// What `read` makes of the value; nil for `null`.
    mutating func optional<Value>(
        _ key: String, _ read: (JSONValue) throws(Fault) -> Value
    ) throws(Fault) -> Value? {
        let value = try take(key)
        if case .null = value { return nil }
        return try read(value)
    }

    mutating func list(_ key: String) throws(Fault) -> [JSONValue] {
        guard case .array(let nodes) = try take(key) else { throw Fault("\(key) has to be a list") }
        return nodes.map(\.value)
    }

    mutating func strings(_ key: String) throws(Fault) -> [String] {
        var texts: [String] = []
        for value in try list(key) {
            guard case .string(let text) = value else { throw Fault("\(key) has to be a list of texts") }
            texts.append(text)
        }
        return texts
    }

    mutating func jid(_ key: String) throws(Fault) -> JID {
        let text = try string(key)
        guard let jid = try? JID(text) else { throw Fault("\(key) is no address") }
        return jid
    }

    mutating func value(_ key: String) throws(Fault) -> JSONValue { try take(key) }

    /// Whether the key is there and not taken yet.
    func has(_ key: String) -> Bool { members[key] != nil }

    /// Everything was asked for.
    func end() throws(Fault) {
        guard members.isEmpty else { throw Fault("there is a key that is not known") }
    }

    private mutating func take(_ key: String) throws(Fault) -> JSONValue {
        guard let value = members.removeValue(forKey: key) else { throw Fault("\(key) is missing") }
        return value
    }
}
