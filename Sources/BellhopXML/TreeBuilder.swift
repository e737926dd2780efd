internal import CBellhopXML2

/// Builds elements from libxml2's callbacks, and keeps the rules that libxml2 does not.
///
/// Lives at a fixed address that libxml2 holds as its user data. Once `phase` is `closed` or `failed` it takes nothing
/// more.
@safe struct TreeBuilder: ~Copyable {
    /// How far the stream has come.
    enum Phase {
        /// Before the root's start tag. Next: `open`, or `failed`.
        case prolog
        /// Between the root's tags. Next: `closed`, or `failed`.
        case open
        case closed
        case failed
    }

    /// An element whose end tag has not come yet.
    private struct Frame {
        var name: String
        var namespace: String
        var attributes: [Element.Attribute]
        /// Where its nodes begin on the stack.
        var firstNode: Int
    }

    var limits: ParserLimits
    private(set) var phase = Phase.prolog
    var events: [StreamEvent] = []
    /// Bytes of the current context, from the root on, that belong to finished first-level elements.
    private(set) var settled = 0
    /// Where the rest of the input has to go to a fresh context; set when the present one has collected too many names.
    private(set) var renewal: Int?
    /// The root's start tag, written again for a fresh context.
    private(set) var prologue: [UInt8] = []

    private(set) var context: xmlParserCtxtPtr?
    private var isReplayingRoot = false
    private var names = NameCache()
    private var frames: [Frame] = []
    private var nodes = NodeStack()
    private var text: [UInt8] = []
    private var holdsSection = false
    private var endsWithReturn = false

    init(limits: ParserLimits) {
        self.limits = limits
    }

    /// Starts reading from this context, the first one or a fresh one for a stream that is already open.
    mutating func attach(_ context: xmlParserCtxtPtr?) {
        unsafe self.context = context
        names.removeAll()
        settled = 0
        renewal = nil
        isReplayingRoot = phase == .open
    }

    /// How many bytes of the present context libxml2 has read.
    var position: Int {
        guard let input = unsafe context?.pointee.input else { return 0 }
        return unsafe Int(truncatingIfNeeded: input.pointee.consumed) &+ (input.pointee.cur - input.pointee.base)
    }

    // MARK: callbacks

    mutating func started(
        _ localName: UnsafePointer<xmlChar>?, prefix: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?,
        declarations: UnsafeBufferPointer<UnsafePointer<xmlChar>?>,
        attributes: UnsafeBufferPointer<UnsafePointer<xmlChar>?>
    ) {
        let name = unsafe names.name(localName)
        let namespace = unsafe names.name(namespace)
        switch phase {
        case .open:
            if isReplayingRoot {
                isReplayingRoot = false
                settled = position + 1
                return
            }
            settleText()
            guard frames.count < limits.depth else {
                return fail(.policyViolation("elements nest deeper than \(limits.depth)"))
            }
            guard let attributes = unsafe read(attributes, declarations: declarations.count / 2) else { return }
            frames.append(Frame(name: name, namespace: namespace, attributes: attributes, firstNode: nodes.count))
        case .prolog:
            guard let attributes = unsafe read(attributes, declarations: declarations.count / 2) else { return }
            unsafe remember(localName, prefix: prefix, declarations: declarations)
            phase = .open
            // libxml2 stands before the `>` of the start tag here.
            settled = position + 1
            events.append(.opened(Element(name, namespace: namespace, attributes: attributes)))
        case .closed, .failed:
            return
        }
    }

    mutating func ended() {
        guard phase == .open else { return }
        settleText()
        guard phase == .open else { return }
        guard let frame = frames.popLast() else {
            phase = .closed
            events.append(.closed)
            halt()
            return
        }
        let element = Element(
            frame.name, namespace: frame.namespace, attributes: frame.attributes,
            nodes: nodes.pop(from: frame.firstNode))
        guard frames.isEmpty else {
            nodes.append(.element(element))
            return
        }
        let end = position
        guard end - settled <= limits.stanzaBytes else { return failOnSize() }
        settled = end
        events.append(.element(element))
        tidy()
    }

    mutating func characters(_ piece: UnsafeBufferPointer<UInt8>) {
        guard phase == .open else { return }
        if frames.isEmpty {
            guard unsafe piece.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else {
                return fail(.notWellFormed(line: line, reason: "text between first-level elements"))
            }
            settled = max(settled, position)
            return
        }
        endsWithReturn = false
        unsafe text.append(contentsOf: piece)
    }

    /// A CDATA section's text; libxml2 leaves its line ends as they came (XML 1.0 section 2.11), and unlike elsewhere it
    /// lets bytes pass that spell an ASCII character in two or three.
    mutating func section(_ piece: UnsafeBufferPointer<UInt8>) {
        guard phase == .open, !frames.isEmpty else { return unsafe characters(piece) }
        holdsSection = true
        for index in piece.indices {
            let byte = unsafe piece[index]
            if byte == 0x0A && endsWithReturn {
                endsWithReturn = false
                continue
            }
            endsWithReturn = byte == 0x0D
            text.append(endsWithReturn ? 0x0A : byte)
        }
    }

    /// Ends the stream: no element, finished or not, comes after this.
    mutating func fail(_ fault: StreamFault) {
        switch phase {
        case .prolog, .open:
            phase = .failed
            events.append(.failed(fault))
            frames.removeAll()
            nodes.removeAll()
            text.removeAll()
            halt()
        case .closed, .failed:
            return
        }
    }

    mutating func failOnSize() {
        fail(.policyViolation("an element is larger than \(limits.stanzaBytes) bytes"))
    }

    /// The line of the present first-level element that libxml2 has reached.
    var line: Int { unsafe Int(context?.pointee.input?.pointee.line ?? 0) }

    // MARK: pieces

    /// Turns the collected text into a node of the open element.
    private mutating func settleText() {
        guard !text.isEmpty else { return }
        if !holdsSection {
            nodes.append(.text(String(decoding: text, as: UTF8.self)))
        } else if let string = String(validating: text, as: UTF8.self) {
            nodes.append(.text(string))
        } else {
            fail(.unsupportedEncoding)
        }
        holdsSection = false
        endsWithReturn = false
        text.removeAll(keepingCapacity: text.capacity <= 1 << 16)
    }

    /// libxml2 gives five pointers for each attribute: name, prefix, namespace, first byte of the value, end of the value.
    private mutating func read(
        _ fields: UnsafeBufferPointer<UnsafePointer<xmlChar>?>, declarations: Int
    ) -> [Element.Attribute]? {
        let count = fields.count / 5
        guard count + declarations <= limits.attributes else {
            fail(.policyViolation("an element has more than \(limits.attributes) attributes"))
            return nil
        }
        guard count > 0 else { return [] }
        var attributes: [Element.Attribute] = []
        attributes.reserveCapacity(count)
        var bytes = 0
        for index in 0..<count {
            let field = index * 5
            guard let start = unsafe fields[field + 3], let end = unsafe fields[field + 4] else { continue }
            let length = unsafe end - start
            bytes += length
            let name = unsafe names.name(fields[field])
            let namespace = unsafe names.name(fields[field + 2])
            let value = unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
            attributes.append(Element.Attribute(name, value, namespace: namespace))
        }
        guard bytes <= limits.attributeBytes else {
            fail(.policyViolation("the attributes of an element are larger than \(limits.attributeBytes) bytes"))
            return nil
        }
        return attributes
    }

    /// Keeps the root's name and its namespace declarations, which are what a fresh context must know.
    private mutating func remember(
        _ localName: UnsafePointer<xmlChar>?, prefix: UnsafePointer<xmlChar>?,
        declarations: UnsafeBufferPointer<UnsafePointer<xmlChar>?>
    ) {
        let prefix = unsafe names.name(prefix)
        let name = unsafe names.name(localName)
        var writer = XMLWriter()
        writer.raw(string: "<" + (prefix.isEmpty ? name : prefix + ":" + name))
        for index in stride(from: 0, to: declarations.count - 1, by: 2) {
            let declared = unsafe names.name(declarations[index])
            writer.raw(string: declared.isEmpty ? " xmlns='" : " xmlns:\(declared)='")
            writer.escaped(unsafe names.name(declarations[index + 1]), in: .attribute, "'")
        }
        writer.raw(">")
        prologue = writer.bytes
    }

    /// Keeps what libxml2 counts and collects from growing for as long as the stream lives. One stanza's names are
    /// bounded by the stanza's limit; libxml2 itself gives up at 10 MB.
    private mutating func tidy() {
        guard let context = unsafe context else { return }
        unsafe context.pointee.input?.pointee.line = 1
        unsafe context.pointee.input?.pointee.col = 1
        guard let names = unsafe context.pointee.dict else { return }
        guard unsafe xmlDictSize(names) > Self.nameLimit || xmlDictGetUsage(names) > Self.nameBytesLimit else { return }
        renewal = settled
        halt()
    }

    /// How many names libxml2 may intern before a fresh context takes over; a usual stream knows about two hundred.
    private static let nameLimit: Int32 = 2_000
    private static let nameBytesLimit = 256 << 10

    /// Makes libxml2 return without a further callback. Its own `xmlStopParser` frees the input buffer, and attribute
    /// values still point into that while a start tag is being read.
    private func halt() {
        guard let context = unsafe context else { return }
        unsafe context.pointee.disableSAX = 1
        unsafe context.pointee.errNo = Int32(XML_ERR_USER_STOP.rawValue)
        unsafe context.pointee.instate = XML_PARSER_EOF
    }
}
