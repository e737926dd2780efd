internal import CBellhopXML2

/// What libxml2 reports, as the stream error to answer with.
extension TreeBuilder {
    /// libxml2 has read the XML declaration, if there was one.
    mutating func documentStarted() {
        guard let context = unsafe context, let declared = unsafe context.pointee.encoding else { return }
        let name = unsafe String(cString: declared).uppercased()
        if name != "UTF-8" && name != "UTF8" { fail(.unsupportedEncoding) }
    }

    /// libxml2 found an error or a warning. Its return code leaves out errors of namespaces, an undeclared prefix above
    /// all, which break a stream as surely as an open tag does.
    mutating func reported(_ error: xmlError) {
        guard unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        let code = unsafe UInt32(bitPattern: error.code)
        switch code {
        case XML_WAR_NS_URI.rawValue:
            // A namespace is compared, never fetched, and nobody else on the way minds that it is no URI.
            return
        case XML_ERR_UNDECLARED_ENTITY.rawValue, XML_WAR_UNDECLARED_ENTITY.rawValue:
            fail(.restrictedXML("entity reference"))
        case XML_ERR_UNSUPPORTED_ENCODING.rawValue, XML_ERR_INVALID_ENCODING.rawValue,
            XML_ERR_UNKNOWN_ENCODING.rawValue,
            XML_I18N_CONV_FAILED.rawValue, XML_I18N_NO_HANDLER.rawValue:
            fail(.unsupportedEncoding)
        case XML_ERR_INTERNAL_ERROR.rawValue where isAtDeclaration:
            fail(.restrictedXML("declaration"))
        default:
            unsafe fail(.notWellFormed(line: Int(error.line), reason: Self.reason(error)))
        }
    }

    /// Whether libxml2 stands before `<!`; inside the root it knows comments and CDATA there, and calls the rest an error
    /// of its own.
    private var isAtDeclaration: Bool {
        guard let next = unsafe context?.pointee.input?.pointee.cur else { return false }
        return unsafe next[0] == UInt8(ascii: "<") && next[1] == UInt8(ascii: "!")
    }

    /// libxml2's sentence in one line of bounded length; it may quote names that the peer made up.
    private static func reason(_ error: xmlError) -> String {
        guard let message = unsafe error.message else { return "code \(unsafe error.code)" }
        var reason = ""
        for scalar in unsafe String(cString: message).unicodeScalars.prefix(200) {
            reason.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        while reason.last == " " { reason.removeLast() }
        return reason
    }
}
