/// Amounts of memory and disk for people.
enum ByteText {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// Like `512 B`, `9.4 MiB` or `120 GiB`.
    static func show(_ bytes: UInt64) -> String {
        guard bytes >= 1024 else { return "\(bytes) B" }
        var unit: UInt64 = 1024
        var name = 0
        // Rounded up, 1023.9 of a unit would be 1024 of it.
        while name < units.count - 1, bytes / unit >= 1000 {
            unit *= 1024
            name += 1
        }
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit)
        let tenths = whole * 10 + (rest * 10 + unit / 2) / unit
        if tenths >= 1000 { return "\((tenths + 5) / 10) \(units[name])" }
        return "\(tenths / 10).\(tenths % 10) \(units[name])"
    }
}
