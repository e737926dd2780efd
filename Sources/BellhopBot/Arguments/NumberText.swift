/// A number as people type it, in ASCII: a sign, digits, a point, an exponent.
///
/// Every script's decimal digits are digits, and every dash that stands for one hyphen is a minus sign. Separators of
/// thousands are refused, since `1,000` is a thousand here and one there; so are hexadecimal numbers, `inf` and `nan`.
struct NumberText {
    private let text: String
    /// Whether there is neither a point nor an exponent.
    let isInteger: Bool

    init?(_ word: String) {
        var text = ""
        var digits = 0
        var exponentDigits: Int?
        var hasPoint = false
        var maySign = true
        for scalar in word.unicodeScalars where !scalar.isUnseen && !scalar.isJoiner {
            let mayBeSigned = maySign
            maySign = false
            if let digit = scalar.decimalDigit {
                text.append(digit)
                if exponentDigits == nil { digits += 1 } else { exponentDigits? += 1 }
            } else if mayBeSigned, scalar == "+" || scalar == "\u{FF0B}" {
                continue
            } else if mayBeSigned, scalar.isMinus {
                text.append("-")
            } else if scalar == "." || scalar == "\u{66B}", !hasPoint, exponentDigits == nil {
                // "5." and ".5" are numbers, and Double reads the second only with a digit in front of the point.
                if digits == 0 { text.append("0") }
                text.append(".")
                hasPoint = true
            } else if scalar == "e" || scalar == "E", exponentDigits == nil, digits > 0 {
                if text.last == "." { text.append("0") }
                text.append("e")
                exponentDigits = 0
                maySign = true
            } else {
                return nil
            }
        }
        guard digits > 0, exponentDigits != 0 else { return nil }
        if text.last == "." { text.append("0") }
        self.text = text
        isInteger = !hasPoint && exponentDigits == nil
    }

    /// Nil where 64 bits are too few.
    var integer: Int? { Int(text) }

    /// Nil where it is beyond all doubles; what is too near to zero is zero.
    var double: Double? {
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }
}

extension Unicode.Scalar {
    /// The ASCII digit of the same value, for a decimal digit of any script.
    fileprivate var decimalDigit: Character? {
        if isASCII { return ("0"..."9").contains(self) ? Character(self) : nil }
        guard properties.numericType == .decimal, let value = properties.numericValue else { return nil }
        return "0123456789".first { Double(String($0)) == value }
    }
}
