import Bellhop

/// Who is on call, as somebody wrote it down; kept in a file of the bot.
struct OnCallNote: Equatable {
    var text: String
    var author: String
    /// In UTC, like `2026-11-30 07:00`.
    var time: String

    /// The most bytes of a text.
    static let limit = 2_000

    static func path(in folder: String) -> String { folder + "/oncall.txt" }

    /// The note in the folder; nil where there is none.
    static func read(in folder: String) throws -> OnCallNote? {
        do throws(SmallFile.Trouble) {
            return OnCallNote(stored: try SmallFile.read(path(in: folder), limit: limit * 2))
        } catch .notFound {
            return nil
        } catch {
            throw OpsFailure.unreadable(path(in: folder), error)
        }
    }

    func write(in folder: String) throws {
        guard text.utf8.count <= Self.limit else {
            throw Failure("The note is longer than \(Self.limit) bytes; please shorten it.")
        }
        do throws(SmallFile.Trouble) {
            try SmallFile.replace(Self.path(in: folder), with: stored)
        } catch {
            throw Failure("\(Self.path(in: folder)) can't be written: \(error).")
        }
    }

    /// Author, time and text, the text last since it may have many lines. An empty one is a note that was cleared.
    private var stored: String { "\(author)\n\(time)\n\(text)\n" }

    private init?(stored: String) {
        let parts = stored.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let text = parts[2].hasSuffix("\n") ? parts[2].dropLast() : parts[2]
        guard !text.isEmpty else { return nil }
        self.init(text: String(text), author: String(parts[0]), time: String(parts[1]))
    }

    init(text: String, author: String, time: String) {
        self.text = text
        self.author = author
        self.time = time
    }

    var report: String { "\(text)\n(\(author), \(time) UTC)" }
}
