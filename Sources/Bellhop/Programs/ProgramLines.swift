/// Takes what a program prints as lines, hands them on while it runs, and keeps the last lines of its errors.
struct ProgramLines: ProgramSink {
    /// How long lines wait for others before they are handed on together: a message for each line would be a flood.
    private static let pace: Duration = .milliseconds(1500)
    private static let errorLimit = 8

    private let heard: @Sendable ([String]) -> Void
    private var output = ProgramText()
    private var errorText = ProgramText()
    private(set) var nextDeadline: ContinuousClock.Instant?
    /// Whether anything was handed on.
    private(set) var hasSpoken = false
    private var errorLines: [String] = []

    /// `heard` is called on the thread of the run.
    init(heard: @escaping @Sendable ([String]) -> Void) { self.heard = heard }

    mutating func received(output bytes: ArraySlice<UInt8>) {
        output.add(bytes)
        if nextDeadline == nil && !output.lines.isEmpty { nextDeadline = .now + Self.pace }
    }

    mutating func received(errors bytes: ArraySlice<UInt8>) {
        errorText.add(bytes)
        keepErrors()
    }

    mutating func reachedDeadline() {
        nextDeadline = nil
        let lines = Self.trimmed(output.takeLines())
        guard !lines.isEmpty else { return }
        hasSpoken = true
        heard(lines)
    }

    /// What was not handed on yet, and the last lines of the errors.
    mutating func finish() -> (rest: [String], errors: [String]) {
        output.finish()
        errorText.finish()
        keepErrors()
        return (Self.trimmed(output.takeLines()), errorLines)
    }

    private mutating func keepErrors() {
        errorLines += errorText.takeLines().filter { !$0.allSatisfy(\.isWhitespace) }
        errorLines.removeFirst(max(errorLines.count - Self.errorLimit, 0))
    }

    /// Without empty lines at both ends, which a message does not show well.
    private static func trimmed(_ lines: [String]) -> [String] {
        let isEmpty = { (line: String) in line.allSatisfy(\.isWhitespace) }
        guard let first = lines.firstIndex(where: { !isEmpty($0) }), let last = lines.lastIndex(where: { !isEmpty($0) })
        else { return [] }
        return Array(lines[first...last])
    }
}
