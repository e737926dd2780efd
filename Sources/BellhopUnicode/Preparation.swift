/// Stand-in until the door is merged.
package enum PreparationFault: Error, Equatable, Sendable {
    case forbidden(Unicode.Scalar)
    case bidi
    case empty
    case invalidDomain
}

package enum Preparation {
    package static func usernameCaseMapped(_ text: String) throws(PreparationFault) -> String {
        for scalar in text.unicodeScalars where scalar.value <= 0x20 || scalar.value == 0x7F {
            throw .forbidden(scalar)
        }
        return text.lowercased()
    }

    package static func opaqueString(_ text: String) throws(PreparationFault) -> String {
        for scalar in text.unicodeScalars where scalar.value < 0x20 || scalar.value == 0x7F {
            throw .forbidden(scalar)
        }
        return text
    }

    package static func domain(_ text: String) throws(PreparationFault) -> String {
        var text = text.lowercased()
        if text.hasSuffix(".") { text.removeLast() }
        if text.contains("_") || text.contains(" ") || text.contains("..") || text.isEmpty { throw .invalidDomain }
        return text
    }
}
