/// The answers for `init` where nobody can be asked: three lines of standard input.
package enum InitInput {
    /// The most bytes of them together, as of everything that may hold a password.
    package static let limit = ConfigurationLoader.secretLimit
    /// The account, its password, and the admins.
    package static let count = 3

    /// Why the input gives no answers; none of it is repeated.
    package enum Fault: Error, Equatable, Sendable {
        case unreadable(reason: String)
        case notText
        case lines(Int)

        var clause: String {
            switch self {
            case .unreadable(let reason): "Standard input can't be read: \(reason)."
            case .notText: "Standard input holds what is no UTF-8 text."
            case .lines(0): "Standard input is empty."
            case .lines(let count):
                "Standard input has \(count == 1 ? "1 line" : "\(count) lines") and must have \(InitInput.count), of which the "
                    + "second and the third may be empty."
            }
        }
    }

    /// The lines without their ends, and without the mark that some editors put in front of UTF-8.
    package static func read(_ input: Result<[UInt8], FileTrouble>) -> Result<[String], Fault> {
        var bytes: ArraySlice<UInt8>
        switch input {
        case .failure(let trouble): return .failure(.unreadable(reason: trouble.phrase))
        case .success(let whole): bytes = whole[...]
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // What ends the last line begins no other.
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count == count else { return .failure(.lines(lines.count)) }
        let texts = lines.compactMap { line in
            String(validating: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        return texts.count == count ? .success(texts) : .failure(.notText)
    }
}

/// Answers with lines that are there already.
struct InitLines: Prompter {
    private var lines: ArraySlice<String>
    let isPerson = false

    init(_ lines: [String]) { self.lines = lines[...] }

    mutating func ask(_ question: String) -> String? { lines.popFirst() }
    mutating func askSecret(_ question: String) -> String? { ask(question) }
    mutating func say(_ sentence: String) {}
}
