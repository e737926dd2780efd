/// How the names of commands are written and compared.
enum CommandName {
    /// The names that are built in.
    static let reserved: Set<String> = Set(Builtin.allCases.map(\.rawValue))

    /// The form in which names are compared: lower case, the same in every locale.
    static func folded(_ name: some StringProtocol) -> String {
        let isLowercaseASCII = name.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
        return isLowercaseASCII ? String(name) : name.lowercased()
    }

    /// Whether the name can be typed: it starts with a letter or digit and holds no white space.
    static func isValid(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.canStartName else { return false }
        return !name.unicodeScalars.contains { $0.properties.isWhitespace }
    }
}

/// The commands that every bot has.
enum Builtin: String, CaseIterable, Sendable {
    case help, more, cancel, whoami, accept, deny, requests, outbox, why, audit, status, doctor, pause, resume, reload,
        presence

    /// Whether everybody may use it, and not admins alone, where the configuration does not say otherwise.
    var isForEverybody: Bool {
        switch self {
        case .help, .more, .cancel, .whoami: true
        case .accept, .deny, .requests, .outbox, .why, .audit, .status, .doctor, .pause, .resume, .reload, .presence:
            false
        }
    }

    /// Whether the words are meant for it. `more` and `cancel` begin ordinary sentences, too.
    func takes(_ arguments: String, isPrefixed: Bool) -> Bool {
        switch self {
        case .more: isPrefixed || arguments.isEmpty
        case .cancel: isPrefixed || CancelRequest(arguments) != nil
        case .help, .whoami, .accept, .deny, .requests, .outbox, .why, .audit, .status, .doctor, .pause, .resume,
            .reload,
            .presence:
            true
        }
    }
}

extension Unicode.Scalar {
    var canStartName: Bool {
        if isASCII {
            return (value | 0x20) &- 0x61 < 26 || value &- 0x30 < 10
        }
        return properties.isAlphabetic || properties.numericType != nil
    }
}
