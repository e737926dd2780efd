/// Whole numbers as peers write them.
enum DecimalText {
    /// The number, white space around it passed over, stopping at the ends of `Int`; nil when it is none.
    static func value(of text: String) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var bytes = Substring(text).utf8
        while let first = bytes.first, isWhiteSpace(first) { bytes = bytes.dropFirst() }
        while let last = bytes.last, isWhiteSpace(last) { bytes = bytes.dropLast() }
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
        guard !bytes.isEmpty else { return nil }
        var value = 0
        for byte in bytes {
            guard digits.contains(byte) else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = product.addingReportingOverflow(Int(byte - digits.lowerBound))
            value = overflow || sumOverflow ? .max : sum
        }
        return isNegative ? -value : value
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
