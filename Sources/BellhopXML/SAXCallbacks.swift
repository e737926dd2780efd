internal import CBellhopXML2

/// Where libxml2 calls us back; each callback only forwards to the tree builder at the address it was given.
enum SAXCallbacks {
    /// A push parser for UTF-8 that reports to this builder; nil when there is no memory.
    static func makeContext(for builder: UnsafeMutablePointer<TreeBuilder>) -> xmlParserCtxtPtr? {
        var handler = unsafe xmlSAXHandler()
        unsafe handler.initialized = XML_SAX2_MAGIC
        unsafe handler.startElementNs = startElement
        unsafe handler.endElementNs = endElement
        unsafe handler.characters = characters
        // The very same pointer: libxml2 then spares itself the question whether white space can be ignored.
        unsafe handler.ignorableWhitespace = handler.characters
        unsafe handler.cdataBlock = section
        unsafe handler.startDocument = startDocument
        unsafe handler.internalSubset = documentType
        unsafe handler.comment = comment
        unsafe handler.processingInstruction = instruction
        unsafe handler.serror = reported
        guard let context = unsafe xmlCreatePushParserCtxt(&handler, builder, nil, 0, nil) else { return nil }
        // NOENT: without it `&amp;` in an attribute arrives as `&#38;`. The limits of XML_PARSE_HUGE stay in force.
        unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue))
        // A stream is UTF-8 (RFC 6120 section 11.6); nothing is guessed from the first bytes.
        unsafe context.pointee.charset = Int32(XML_CHAR_ENCODING_UTF8.rawValue)
        return unsafe context
    }

    private static func builder(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<TreeBuilder>? {
        unsafe data?.assumingMemoryBound(to: TreeBuilder.self)
    }

    private static let startElement: startElementNsSAX2Func = {
        data, name, prefix, namespace, declarationCount, declarations, attributeCount, _, attributes in
        unsafe builder(data)?.pointee.started(
            name, prefix: prefix, namespace: namespace,
            declarations: UnsafeBufferPointer(start: declarations, count: Int(max(0, declarationCount)) * 2),
            attributes: UnsafeBufferPointer(start: attributes, count: Int(max(0, attributeCount)) * 5))
    }

    private static let endElement: endElementNsSAX2Func = { data, _, _, _ in
        unsafe builder(data)?.pointee.ended()
    }

    private static let characters: charactersSAXFunc = { data, bytes, count in
        unsafe builder(data)?.pointee.characters(UnsafeBufferPointer(start: bytes, count: Int(max(0, count))))
    }

    private static let section: cdataBlockSAXFunc = { data, bytes, count in
        unsafe builder(data)?.pointee.section(UnsafeBufferPointer(start: bytes, count: Int(max(0, count))))
    }

    private static let startDocument: startDocumentSAXFunc = { data in
        unsafe builder(data)?.pointee.documentStarted()
    }

    private static let documentType: internalSubsetSAXFunc = { data, _, _, _ in
        unsafe builder(data)?.pointee.fail(.restrictedXML("document type declaration"))
    }

    private static let comment: commentSAXFunc = { data, _ in
        unsafe builder(data)?.pointee.fail(.restrictedXML("comment"))
    }

    private static let instruction: processingInstructionSAXFunc = { data, _, _ in
        unsafe builder(data)?.pointee.fail(.restrictedXML("processing instruction"))
    }

    private static let reported: xmlStructuredErrorFunc = { data, error in
        guard let error = unsafe error else { return }
        unsafe builder(data)?.pointee.reported(error.pointee)
    }
}
