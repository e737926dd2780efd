/// A way of quoting, by the mark that opens it: as keyboards have it, and as phones and languages turn it.
enum Quotation: Int {
    case straightDouble, highDouble, lowDouble, sameDouble, primeDouble
    case straightSingle, highSingle, lowSingle, sameSingle
    case guillemets, invertedGuillemets, singleGuillemets, invertedSingleGuillemets
    case corners, whiteCorners, backticks

    /// How exact the closing mark must be.
    enum Manner: Int {
        /// As the opening mark demands.
        case strictly
        /// Any mark of the family, since a phone turns sometimes only one of two.
        case loosely
    }

    init?(opening mark: Unicode.Scalar) {
        switch mark {
        case "\"", "\u{FF02}": self = .straightDouble
        case "\u{201C}", "\u{201F}": self = .highDouble
        case "\u{201E}": self = .lowDouble
        case "\u{201D}": self = .sameDouble
        case "\u{301D}": self = .primeDouble
        case "'", "\u{FF07}": self = .straightSingle
        case "\u{2018}", "\u{201B}": self = .highSingle
        case "\u{201A}": self = .lowSingle
        case "\u{2019}": self = .sameSingle
        case "\u{AB}": self = .guillemets
        case "\u{BB}": self = .invertedGuillemets
        case "\u{2039}": self = .singleGuillemets
        case "\u{203A}": self = .invertedSingleGuillemets
        case "\u{300C}": self = .corners
        case "\u{300E}": self = .whiteCorners
        case "`": self = .backticks
        default: return nil
        }
    }

    func isClosed(by mark: Unicode.Scalar, _ manner: Manner) -> Bool {
        guard case .strictly = manner else { return isMark(mark) }
        return switch self {
        case .straightDouble: mark == "\"" || mark == "\u{FF02}"
        case .highDouble, .sameDouble: mark == "\u{201D}"
        case .lowDouble: mark == "\u{201C}" || mark == "\u{201D}"
        case .primeDouble: mark == "\u{301E}" || mark == "\u{301F}"
        case .straightSingle: mark == "'" || mark == "\u{FF07}"
        case .highSingle, .sameSingle: mark == "\u{2019}"
        case .lowSingle: mark == "\u{2018}" || mark == "\u{2019}"
        case .guillemets: mark == "\u{BB}"
        // German and Danish turn them inwards, Finnish turns both to the right.
        case .invertedGuillemets: mark == "\u{AB}" || mark == "\u{BB}"
        case .singleGuillemets: mark == "\u{203A}"
        case .invertedSingleGuillemets: mark == "\u{2039}" || mark == "\u{203A}"
        case .corners: mark == "\u{300D}"
        case .whiteCorners: mark == "\u{300F}"
        case .backticks: mark == "`"
        }
    }

    /// Whether a mark is of the same family: what a backslash may stand before, and what closes loosely.
    func isMark(_ mark: Unicode.Scalar) -> Bool {
        switch self {
        case .straightDouble, .highDouble, .lowDouble, .sameDouble, .primeDouble:
            switch mark {
            case "\"", "\u{FF02}", "\u{201C}"..."\u{201F}", "\u{301D}"..."\u{301F}": true
            default: false
            }
        case .straightSingle, .highSingle, .lowSingle, .sameSingle:
            switch mark {
            case "'", "\u{FF07}", "\u{2018}"..."\u{201B}": true
            default: false
            }
        case .guillemets, .invertedGuillemets: mark == "\u{AB}" || mark == "\u{BB}"
        case .singleGuillemets, .invertedSingleGuillemets: mark == "\u{2039}" || mark == "\u{203A}"
        case .corners: mark == "\u{300C}" || mark == "\u{300D}"
        case .whiteCorners: mark == "\u{300E}" || mark == "\u{300F}"
        case .backticks: mark == "`"
        }
    }

    /// What is quoted: without the backslashes before marks, and without the blanks that French sets inside its marks.
    func content(of quoted: Substring.UnicodeScalarView) -> String {
        var content = String.UnicodeScalarView()
        var backslash = false
        for scalar in quoted {
            if backslash && !isMark(scalar) { content.append("\\") }
            backslash = scalar == "\\"
            if !backslash { content.append(scalar) }
        }
        if backslash { content.append("\\") }
        guard setsBlanksInside else { return String(content) }
        var inner = content.drop(while: \.isBlank)
        while let last = inner.last, last.isBlank { inner.removeLast() }
        return String(inner)
    }

    private var setsBlanksInside: Bool {
        switch self {
        case .guillemets, .invertedGuillemets, .singleGuillemets, .invertedSingleGuillemets: true
        case .straightDouble, .highDouble, .lowDouble, .sameDouble, .primeDouble, .straightSingle, .highSingle,
            .lowSingle, .sameSingle, .corners, .whiteCorners, .backticks:
            false
        }
    }
}
