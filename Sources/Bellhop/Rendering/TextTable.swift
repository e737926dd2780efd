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
            var padding = 0
            // What stands at the end of a line is not padded: one cell of a megabyte would make every line that long.
            for (cell, width) in zip(row, widths) {
                if !cell.isEmpty {
                    line += String(repeating: " ", count: padding) + cell
                    padding = 0
                }
                padding += max(0, width - TextWidth.columns(cell)) + 2
            }
            while line.hasSuffix(" ") { line.removeLast() }
            text += line + "\n"
        }
        return text
    }
}
