/// Small text files of a bot's own, read and written whole.
public enum SmallFile {
    /// Why a file could not be read or written.
    public enum Trouble: Error, Equatable, Sendable, CustomStringConvertible {
        case notFound
        /// It has more bytes than this.
        case tooLarge(Int)
        /// In the words of the system, like `Permission denied`.
        case refused(String)

        public var description: String {
            switch self {
            case .notFound: FileTrouble.notFound.phrase
            case .tooLarge(let limit): FileTrouble.tooLarge(limit).phrase
            case .refused(let reason): reason
            }
        }

        init(_ trouble: FileTrouble) {
            self =
                switch trouble {
                case .notFound: .notFound
                case .tooLarge(let limit): .tooLarge(limit)
                case .other(let reason): .refused(reason)
                }
        }
    }

    /// The file's text, what is no UTF-8 repaired; at most `limit` bytes.
    public static func read(_ path: String, limit: Int = 65_536) throws(Trouble) -> String {
        switch SystemFile.read(path, limit: limit) {
        case .success(let contents): return String(decoding: contents.bytes, as: UTF8.self)
        case .failure(let trouble): throw Trouble(trouble)
        }
    }

    /// Writes the file with mode 0600, all of it or nothing: who reads meanwhile finds the old text, and so does who comes
    /// after a power cut.
    public static func replace(_ path: String, with text: String) throws(Trouble) {
        if case .failure(let trouble) = SystemFile.replace(path, Array(text.utf8)) { throw Trouble(trouble) }
    }
}
