import Foundation

/// The benchmark as another process, to be killed.
final class Program {
    private let process = Process()
    private let output = Pipe()
    private var unread: [UInt8] = []

    static func writingForever(_ path: String) throws -> Program {
        let program = Program()
        let products = Bundle(for: Program.self).bundleURL
        program.process.executableURL = products.appendingPathComponent("journal-benchmark")
        program.process.arguments = [path, "forever"]
        program.process.standardOutput = program.output
        try program.process.run()
        return program
    }

    /// The next whole line of what it writes; nil when it writes nothing more.
    func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: 10) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeSubrange(...end)
                return line
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            unread += more
        }
    }

    func kill() {
        _ = Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
