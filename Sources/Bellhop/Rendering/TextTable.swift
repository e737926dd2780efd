internal import BellhopDiagnostics
internal import BellhopXMPP

/// Columns of text, aligned by what they take on a terminal.
package struct TextTable {
    private var rows: [[String]] = []

    package init() {}

    /// Adds a row; whatever its cells hold stays in its line.
    package mutating func add(_ cells: [String]) { rows.append(cells.map { VisibleText.oneLine($0) }) }

    /// The rows, two spaces between the columns and none at the ends of lines.
    package var text: String {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], TextWidth.columns(cell))
            }
        }
        var text = ""
        for row in rows {
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: max(0, width - TextWidth.columns(cell)) + 2)
            }
            while line.hasSuffix(" ") { line.removeLast() }
            text += line + "\n"
        }
        return text
    }
}
