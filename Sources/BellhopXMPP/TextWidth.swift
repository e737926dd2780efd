internal import BellhopUnicode

/// How wide a text is on a terminal, for tables of names and addresses.
package enum TextWidth {
    /// Columns: wide East Asian characters and emoji take two, combining ones none.
    package static func columns(_ text: String) -> Int { Preparation.displayWidth(text) }
}
