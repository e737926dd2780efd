internal import BellhopDiagnostics
internal import Glibc

/// Asks on the terminal; where standard input is none, it reads lines and says only what went wrong.
package struct TerminalPrompter: Prompter {
    private let isTerminal: Bool

    package var isPerson: Bool { isTerminal }

    /// Whether somebody can be asked.
    package static var isAtTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    package init() { isTerminal = Self.isAtTerminal }

    package mutating func ask(_ question: String) -> String? {
        show(question)
        return line()
    }

    package mutating func askSecret(_ question: String) -> String? {
        show(question)
        guard isTerminal else { return line() }
        var usual = termios()
        guard unsafe tcgetattr(STDIN_FILENO, &usual) == 0 else { return line() }
        var silent = usual
        // Without signals, so that Ctrl-C cannot leave a terminal behind that shows nothing; it ends the line instead.
        silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
        silent.c_cc.11 = Self.interrupt
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        let line = line()
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &usual)
        show("\n")
        guard let line, !line.utf8.contains(Self.interrupt) else { return nil }
        return line
    }

    /// Nil at the end, and for what is no text, or longer than any answer.
    private func line() -> String? {
        guard case .success(var bytes) = SystemFile.readFirstLine(limit: ConfigurationLoader.secretLimit),
            !bytes.isEmpty
        else { return nil }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(validating: bytes, as: UTF8.self)
    }

    package mutating func say(_ sentence: String) { StandardStream.error.write(sentence + "\n") }

    /// Ctrl-C. Slot 11 of the control characters is VEOL, a further one that ends a line (termios(3)).
    private static let interrupt: UInt8 = 3

    private func show(_ question: String) {
        if isTerminal { StandardStream.error.write(question) }
    }
}
