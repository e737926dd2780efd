/// Turns a log line into the bytes of exactly one line of output, whatever its values hold.
package struct LogRenderer: Sendable {
    package var format: LogFormat
    /// Whether journald reads the lines: it has the time itself, and wants the priority in front.
    package var underJournald: Bool

    /// Longer messages and values are cut, since journald would split the line; in UTF-8 bytes.
    package static let valueLimit = 16_384

    package init(format: LogFormat, underJournald: Bool) {
        self.format = format
        self.underJournald = underJournald
    }

    /// The line with its newline; `milliseconds` since 1970 is when it was written.
    package func text(_ line: LogLine, at milliseconds: Int64) -> String {
        let prefix = underJournald ? "<\(line.level.priority)>" : ""
        switch format {
        case .text: return prefix + plain(line, at: milliseconds) + "\n"
        case .json: return prefix + json(line, at: milliseconds) + "\n"
        }
    }

    private func plain(_ line: LogLine, at milliseconds: Int64) -> String {
        var text = ""
        if !underJournald {
            text += "\(CivilTime(milliseconds: milliseconds).iso8601) \(line.level.column) "
        }
        text += "\(VisibleText.oneLine(line.event)): \(VisibleText.oneLine(Self.shortened(line.message)))"
        for field in line.fields {
            text += " \(VisibleText.oneLine(field.name))=\(Self.quoted(Self.shortened(field.value)))"
        }
        return text
    }

    private func json(_ line: LogLine, at milliseconds: Int64) -> String {
        var members: [(name: String, json: String)] = []
        if !underJournald {
            members.append(("time", JSONText.string(CivilTime(milliseconds: milliseconds).iso8601)))
        }
        members.append(("level", JSONText.string(line.level.name)))
        members.append(("event", JSONText.string(line.event)))
        members.append(("message", JSONText.string(Self.shortened(line.message))))
        if !line.fields.isEmpty {
            // In an object of their own, so that a field named "level" cannot pose as the line's level.
            let fields = line.fields.map { (name: $0.name, json: JSONText.string(Self.shortened($0.value))) }
            members.append(("fields", JSONText.object(fields)))
        }
        return JSONText.object(members)
    }

    /// A plain word as it is, everything else in quotes, so that one value cannot look like two fields.
    private static func quoted(_ value: String) -> String {
        let isPlain = value.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar != "\"" && scalar != "\\" && scalar != "="
                && !VisibleText.isHarmful(scalar)
        }
        if isPlain && !value.isEmpty { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return VisibleText.oneLine(text) + "\""
    }

    private static func shortened(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.count > valueLimit else { return text }
        // A cut inside a character becomes a replacement character, which is as good a mark as any.
        return String(decoding: bytes.prefix(valueLimit), as: UTF8.self) + "… (\(bytes.count - valueLimit) bytes more)"
    }
}
