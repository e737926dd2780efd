import BellhopBot
import Testing

@testable import Bellhop

/// The command lines in the documentation, and the program's own help.
@Suite("Documented commands")
struct DocumentedCommandsTests {
    private static let files = ["README.md", "docs/operating.md", "docs/configuration.md", "docs/arguments.md"]
    private static let bots: Set = ["echobot", "opsbot", "bellhop", "hello"]

    /// What stands between backticks in the text, and the lines of its shell blocks.
    private static func code(in text: String) -> [String] {
        var found: [String] = []
        var prose = ""
        var block: Substring?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                block = block == nil ? line.dropFirst(3) : nil
            } else if let block {
                if block == "sh" { found.append(String(line)) }
            } else {
                prose += line + "\n"
            }
        }
        for (index, span) in prose.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where index % 2 == 1 {
            found.append(String(span))
        }
        return found
    }

    /// The words of a shell's line, a comment left out.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var isQuoted = false
        for piece in line.split(whereSeparator: \.isWhitespace) {
            if !isQuoted, piece.hasPrefix("#") { break }
            let word = String(piece.filter { $0 != "\"" })
            if isQuoted, let last = words.popLast() { words.append(last + " " + word) } else { words.append(word) }
            if piece.count(where: { $0 == "\"" }) % 2 == 1 { isQuoted.toggle() }
        }
        return words
    }

    /// What stands behind a bot's name, where the line runs one.
    private static func arguments(_ line: String) -> [String]? {
        let words = words(line)
        guard let place = words.firstIndex(where: { bots.contains($0) }) else { return nil }
        let before = words[..<place]
        let isRun = before.isEmpty || Array(before) == ["swift", "run"] || before.starts(with: ["sudo", "-u"])
        return isRun ? Array(words[(place + 1)...]) : nil
    }

    @Test("every command line in the documentation is one that the program takes")
    func exist() throws {
        var count = 0
        for file in Self.files {
            for line in Self.code(in: try ConfigurationDocumentsTests.repositoryFile(file)) {
                guard let arguments = Self.arguments(line) else { continue }
                count += 1
                let filled = arguments.map { ["PEER", "JID"].contains($0) ? "ann@example.org" : $0 }
                switch Invocation.parse(filled) {
                case .success: break
                // In a sentence the name alone is enough.
                case .failure(.missingArgument): break
                case .failure(let error): Issue.record("\(file): \(line): \(error.sentence(bot: "echobot"))")
                }
            }
        }
        #expect(count > 60)
    }

    @Test("every command, way to type it and option of the program is in the documentation, and so are the chat's own")
    func areThere() throws {
        let texts = try Self.files.map { try ConfigurationDocumentsTests.repositoryFile($0) }
        let code = texts.flatMap(Self.code(in:)).map(Self.words)
        /// Whether some line has these words in this order, whatever stands between them.
        func isShown(_ wanted: [String]) -> Bool {
            code.contains { words in
                var rest = words[...]
                return wanted.allSatisfy { word in
                    guard let place = rest.firstIndex(of: word) else { return false }
                    rest = rest[(place + 1)...]
                    return true
                }
            }
        }
        for help in CommandHelp.all {
            #expect(isShown([help.command.rawValue]), "\(help.command.rawValue)")
            for usage in help.usages {
                let fixed = usage.replacing(/\[[^\]]*\](\.\.\.)?/, with: "").split(separator: " ").map(String.init)
                    .filter { $0.first?.isLowercase == true }
                #expect(isShown(fixed), "\(usage)")
            }
            for option in CommandOption.own(of: help.command) { #expect(isShown([option.name]), "\(option.name)") }
        }
        for option in CommandOption.common {
            #expect(isShown([option.name]), "\(option.name)")
            if let alias = option.alias { #expect(isShown([alias]), "\(alias)") }
        }
        let bot = Bot {}
        for name in bot.declaration.commands { #expect(isShown([name]), "\(name) in the chat") }
    }
}
