/// What is wrong with an address.
public enum JIDError: Error, Equatable, Sendable {
    case empty
    case emptyPart(JIDPart)
    /// Over 1023 bytes; for a domain over the 253 of DNS, or 63 in one label.
    case tooLong(JIDPart)
    /// A character that the part may not hold.
    case forbidden(JIDPart, Unicode.Scalar)
    /// Right-to-left and left-to-right letters mixed in a way that could be read in two orders (RFC 5893).
    case mixedDirection(JIDPart)
    case invalidDomain
    /// Preparing the part again changes it again, so that it cannot be compared (RFC 8264 section 7).
    case unsettled(JIDPart)
    /// The part needs Unicode tables that this system lacks.
    case unavailable
}

public enum JIDPart: String, Sendable { case local, domain, resource }

/// A phrase for people that continues "not an address: ", like "the local part holds a space".
extension JIDError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "it is empty"
        case .emptyPart(.local): "nothing stands before the @"
        case .emptyPart(.domain): "the domain is missing"
        case .emptyPart(.resource): "nothing stands behind the /"
        case .tooLong(.domain): "the domain is longer than 253 bytes, or one of its labels than 63"
        case .tooLong(let part): "\(part.phrase) is longer than 1023 bytes"
        case .forbidden(let part, let scalar): "\(part.phrase) holds \(JIDError.phrase(for: scalar))"
        case .mixedDirection(let part): "\(part.phrase) mixes right-to-left and left-to-right letters"
        case .invalidDomain: "the domain is not a host name"
        case .unsettled(let part): "\(part.phrase) has no settled spelling"
        case .unavailable: "it is not plain ASCII, and the Unicode tables of ICU are not installed"
        }
    }

    /// The character by name where printing it would show nothing, else as it is.
    private static func phrase(for scalar: Unicode.Scalar) -> String {
        switch scalar {
        case " ": "a space"
        case "\n", "\r": "a line break"
        case "\t": "a tab"
        case "!"..."~": "\"\(scalar)\""
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
                .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
                "the character U+\(JIDError.hexadecimal(scalar.value))"
            default: "\"\(scalar)\" (U+\(JIDError.hexadecimal(scalar.value)))"
            }
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension JIDPart {
    fileprivate var phrase: String {
        switch self {
        case .local: "the local part"
        case .domain: "the domain"
        case .resource: "the resource"
        }
    }
}
