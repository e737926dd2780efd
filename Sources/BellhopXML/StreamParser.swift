internal import CBellhopXML2

/// Reads an XML stream piece by piece: bytes in, events out (RFC 6120 section 4).
///
/// Works on libxml2's push parser. Any split of the bytes gives the same events. White space between first-level
/// elements gives none, so a keepalive is to be noticed by whoever reads the socket. The peer's input, whatever it is,
/// ends in events: memory and nesting are bounded by the limits, and a stream may live for ever.
@safe package final class StreamParser {
    /// Allocated by hand, since Swift would check each access to a stored property for overlap.
    private let builder: UnsafeMutablePointer<TreeBuilder>
    private var limits: ParserLimits
    private var context: xmlParserCtxtPtr?
    /// Bytes that the present context was given.
    private var received = 0
    /// The first bytes of a character whose rest has not come yet; libxml2 takes a cut character for a wrong one.
    private var partial: [UInt8] = []

    /// libxml2 gets at most this many bytes at once, so that the limits are checked before much memory is used.
    private static let slice = 16 << 10

    package init(limits: ParserLimits = ParserLimits()) {
        self.limits = limits
        unsafe builder = UnsafeMutablePointer.allocate(capacity: 1)
        unsafe builder.initialize(to: TreeBuilder(limits: limits))
        unsafe context = SAXCallbacks.makeContext(for: builder)
        unsafe builder.pointee.attach(context)
    }

    deinit {
        unsafe xmlFreeParserCtxt(context)
        unsafe builder.deinitialize(count: 1)
        unsafe builder.deallocate()
    }

    /// Reads the bytes and appends what they complete; after `.closed` or `.failed` nothing more.
    package func feed(_ bytes: Span<UInt8>, into events: inout [StreamEvent]) {
        unsafe swap(&events, &builder.pointee.events)
        unsafe bytes.withUnsafeBufferPointer { buffer in
            if partial.isEmpty {
                unsafe read(buffer)
            } else {
                let joined = unsafe partial + buffer
                partial.removeAll()
                unsafe joined.withUnsafeBufferPointer { unsafe read($0) }
            }
        }
        unsafe swap(&events, &builder.pointee.events)
    }

    /// Reads by other limits from now on, in the middle of the stream.
    package func adopt(_ limits: ParserLimits) {
        self.limits = limits
        unsafe builder.pointee.limits = limits
    }

    /// How many names libxml2 keeps at present; bounded however long the stream is.
    package var internedNames: Int {
        guard let dictionary = unsafe context?.pointee.dict else { return 0 }
        return unsafe Int(xmlDictSize(dictionary))
    }

    /// Whether not a single byte stands behind the last tag or element that gave an event.
    ///
    /// Before a handshake nothing may: it would be taken for a part of the encrypted stream (RFC 6120 section 5.4.3.3).
    package var isBetweenElements: Bool { unsafe partial.isEmpty && received == builder.pointee.settled }

    private var isReading: Bool {
        switch unsafe builder.pointee.phase {
        case .prolog, .open: true
        case .closed, .failed: false
        }
    }

    private func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        let usable = unsafe bytes.count - Self.cutCharacter(bytes)
        unsafe partial.append(contentsOf: bytes[usable...])
        var start = 0
        while start < usable, isReading {
            var end = min(start + Self.slice, usable)
            if end < usable { unsafe end -= Self.cutCharacter(UnsafeBufferPointer(rebasing: bytes[start..<end])) }
            start += unsafe push(UnsafeBufferPointer(rebasing: bytes[start..<end]))
        }
    }

    /// Gives one slice to libxml2 and returns how many of its bytes are done with: all, unless a fresh context took over.
    private func push(_ slice: UnsafeBufferPointer<UInt8>) -> Int {
        let before = received
        received += slice.count
        let code = unsafe slice.withMemoryRebound(to: CChar.self) { chars in
            unsafe xmlParseChunk(context, chars.baseAddress, Int32(truncatingIfNeeded: chars.count), 0)
        }
        guard isReading else { return slice.count }
        if let end = unsafe builder.pointee.renewal {
            renew()
            return min(max(0, end - before), slice.count)
        }
        if unsafe context == nil || context?.pointee.instate == XML_PARSER_EOF {
            unsafe builder.pointee.fail(.notWellFormed(line: 0, reason: "libxml2 gave up with code \(code)"))
        } else if unsafe received - builder.pointee.settled > limits.stanzaBytes {
            unsafe builder.pointee.failOnSize()
        } else if unsafe received - builder.pointee.position > limits.attributeBytes + Self.slice,
            unsafe context?.pointee.instate != XML_PARSER_CDATA_SECTION
        {
            // What libxml2 holds back is a tag without its end. It compares each attribute with each other one.
            unsafe builder.pointee.fail(.policyViolation("a tag is larger than \(limits.attributeBytes) bytes"))
        }
        return slice.count
    }

    /// Goes on with a fresh context, which has forgotten the names that the peer has used so far.
    private func renew() {
        unsafe xmlFreeParserCtxt(context)
        unsafe context = SAXCallbacks.makeContext(for: builder)
        unsafe builder.pointee.attach(context)
        let prologue = unsafe builder.pointee.prologue
        received = 0
        _ = unsafe prologue.withUnsafeBufferPointer { unsafe push($0) }
    }

    /// How many bytes at the end are the beginning of a character that is not complete.
    private static func cutCharacter(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = unsafe bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }
}
