/// Why a text is no JSON, and where; it holds nothing of the text, since that may be a secret.
package struct JSONFault: Error, Equatable, Sendable {
    package var kind: Kind
    package var position: TextPosition

    package init(_ kind: Kind, at position: TextPosition) {
        self.kind = kind
        self.position = position
    }

    package enum Kind: Equatable, Sendable {
        case empty
        /// More bytes than the limit given.
        case tooLarge(Int)
        /// More levels of lists and objects than the limit given.
        case tooDeep(Int)
        case notUTF8
        case otherEncoding
        case expectedValue
        case unquotedText
        case singleQuotes
        case expectedKey
        case expectedColon
        case expectedCommaOrEnd(Container)
        case unclosed(Container, opened: TextPosition)
        case unclosedString
        case lineBreakInString
        case controlCharacterInString
        case unknownEscape
        case incompleteUnicodeEscape
        case loneSurrogate
        case malformedNumber
        case unclosedComment
        case textAfterEnd
    }

    package enum Container: Equatable, Sendable { case list, object }
}
