internal import BellhopBot
internal import BellhopDiagnostics

/// Splits a command line into options and words, without a meaning for them yet.
struct CommandLineReader {
    /// What stands in the command line besides options.
    private(set) var words: [String] = []
    /// The options by their main name, each with its values in order; one without a value has none.
    private(set) var options: [String: [String]] = [:]
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false

    private static let passwordNames: Set<String> = ["password", "passwd", "pass", "pw", "secret"]

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                return
            }
            // A lone dash is the usual name of standard input.
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            try option(argument, &rest)
        }
    }

    private mutating func option(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let typed = argument.hasPrefix("--") ? parts.first.map(String.init) ?? argument : argument
        // -pSECRET is how some programs take one; what follows the letter must not be repeated.
        let isShortPassword = !typed.hasPrefix("--") && typed.lowercased().hasPrefix("-p")
        if isShortPassword || Self.passwordNames.contains(typed.lowercased().trimmingDashes) { throw .passwordOption }
        guard let option = Self.known.first(where: { $0.name == typed || $0.alias == typed }) else {
            // What stands behind "=" is not shown: a mistyped option may hold a password.
            let names = Self.known.map(\.name) + Self.known.compactMap(\.alias)
            throw .unknownOption(typed, suggestion: NearestWord.find(typed, among: names))
        }
        if option.value == nil {
            if typed != argument { throw .unwantedValue(option: typed) }
        } else if typed == argument {
            guard let value = rest.popFirst() else { throw .missingValue(option: typed, wanted: option.value ?? "") }
            options[option.name, default: []].append(value)
            return
        } else {
            options[option.name, default: []].append(parts.count > 1 ? String(parts[1]) : "")
            return
        }
        switch option.name {
        case "--help": wantsHelp = true
        case "--version": wantsVersion = true
        default: options[option.name] = options[option.name] ?? []
        }
    }

    private static let known: [CommandOption] = {
        var known = CommandOption.common
        for option in CommandName.allCases.flatMap({ CommandOption.own(of: $0) })
        where !known.contains(where: { $0.name == option.name }) {
            known.append(option)
        }
        return known
    }()

    func has(_ name: String) -> Bool { options[name] != nil }

    /// The one value of an option; nil when it was not given.
    func value(_ name: String) throws(UsageError) -> String? {
        guard let values = options[name] else { return nil }
        guard values.count <= 1 else { throw .repeatedOption(name) }
        return values.first
    }
}

extension String {
    fileprivate var trimmingDashes: String { String(drop { $0 == "-" }) }
}
