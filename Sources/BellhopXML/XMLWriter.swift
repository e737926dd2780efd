/// Writes XML straight into bytes, escaped, with a namespace declared only where it changes.
///
/// No string that comes in can end an element or begin one: text and values are escaped, characters that XML 1.0
/// forbids become U+FFFD, characters that a name cannot hold become `_`, and an attribute that is already there is left
/// out. What comes out, read back, gives the same elements.
public struct XMLWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    /// An open element: what its end tag must say, and the default namespace outside it.
    private struct Frame {
        var prefix: StaticString?
        var name: String
        var outerNamespace: String
    }

    private var frames: [Frame] = []
    /// The default namespace in force at this place.
    private var namespace: String
    /// Whether the prefix `stream` is declared around everything that is written.
    private let knowsStreamPrefix: Bool
    /// Whether the last start tag still lacks its `>`.
    private var isInTag = false
    private var tag = AttributeNames()

    /// Writes to a place where this default namespace is in force.
    public init(in namespace: String = "") {
        self.namespace = namespace
        knowsStreamPrefix = false
    }

    /// Writes the inside of a stream, where the prefix `stream` is declared too (RFC 6120 section 4.8.5).
    package init(stream namespace: String) {
        self.namespace = namespace
        knowsStreamPrefix = true
    }

    /// Begins an element.
    public mutating func open(_ name: String, _ namespace: String) {
        endTag()
        let prefix = startTag(name, namespace, in: self.namespace)
        frames.append(Frame(prefix: prefix, name: name, outerNamespace: self.namespace))
        if prefix == nil { self.namespace = Self.writable(namespace) }
        isInTag = true
        tag.removeAll()
    }

    /// Adds an attribute to the element that was just begun; an absent value adds nothing.
    public mutating func attribute(_ name: String, _ value: String?, namespace: String = "") {
        guard let value else { return }
        precondition(isInTag, "XMLWriter: an attribute must come right behind open")
        write(attribute: name, value, namespace: namespace)
    }

    /// Adds text to the open element.
    public mutating func text(_ text: String) {
        endTag()
        escaped(text, in: .text)
    }

    /// Ends the element that was begun last.
    public mutating func close() {
        guard let frame = frames.popLast() else { preconditionFailure("XMLWriter: close without open") }
        namespace = frame.outerNamespace
        if isInTag {
            isInTag = false
            raw("/>")
        } else {
            endTag(frame.prefix, frame.name)
        }
    }

    /// Adds an element that holds only text.
    public mutating func element(_ name: String, _ namespace: String, text: String) {
        open(name, namespace)
        self.text(text)
        close()
    }

    /// Adds an element with all that is in it.
    public mutating func write(_ element: Element) {
        endTag()
        write(element, in: namespace)
    }

    /// Adds an element at a place where this default namespace is in force.
    public mutating func write(_ element: Element, in namespace: String) {
        endTag()
        let prefix = startTag(element.name, element.namespace, in: namespace)
        tag.removeAll()
        let attributes = element.attributes.span
        for index in attributes.indices {
            write(attribute: attributes[index].name, attributes[index].value, namespace: attributes[index].namespace)
        }
        if element.nodes.isEmpty { return raw("/>") }
        raw(UInt8(ascii: ">"))
        let nodes = element.nodes.span
        for index in nodes.indices {
            switch nodes[index] {
            case .element(let child): write(child, in: prefix == nil ? Self.writable(element.namespace) : namespace)
            case .text(let text): escaped(text, in: .text)
            }
        }
        endTag(prefix, element.name)
    }

    /// Hands out the bytes and begins anew at the same place; elements that are open stay open.
    package mutating func takeBytes() -> [UInt8] {
        endTag()
        let taken = bytes
        bytes = []
        return taken
    }

    /// Forgets the bytes but keeps their memory.
    package mutating func removeAll() {
        endTag()
        bytes.removeAll(keepingCapacity: true)
    }
}

// MARK: tags

extension XMLWriter {
    private static let xml = "http://www.w3.org/XML/1998/namespace"
    private static let xmlns = "http://www.w3.org/2000/xmlns/"
    private static let streams = "http://etherx.jabber.org/streams"

    /// Nothing can be declared to be in the namespace of declarations itself.
    private static func writable(_ namespace: String) -> String { namespace == xmlns ? "" : namespace }

    /// Writes a start tag without its end, and returns the prefix that it used.
    private mutating func startTag(_ name: String, _ namespace: String, in outer: String) -> StaticString? {
        raw(UInt8(ascii: "<"))
        var prefix: StaticString?
        if namespace != outer {
            if namespace == Self.xml {
                prefix = "xml:"
            } else if knowsStreamPrefix && namespace == Self.streams {
                prefix = "stream:"
            }
        }
        if let prefix { raw(prefix) }
        self.name(name)
        if namespace == outer || prefix != nil { return prefix }
        raw(" xmlns='")
        escaped(Self.writable(namespace), in: .attribute)
        raw(UInt8(ascii: "'"))
        return nil
    }

    private mutating func endTag() {
        guard isInTag else { return }
        isInTag = false
        raw(UInt8(ascii: ">"))
    }

    private mutating func endTag(_ prefix: StaticString?, _ name: String) {
        raw("</")
        if let prefix { raw(prefix) }
        self.name(name)
        raw(UInt8(ascii: ">"))
    }

    /// Each attribute in a namespace brings a prefix of its own; only `xml` needs no declaration.
    private mutating func write(attribute name: String, _ value: String, namespace: String) {
        let start = bytes.count
        var namespace = namespace
        raw(UInt8(ascii: " "))
        if !namespace.isEmpty {
            namespace = Self.writable(namespace)
            if namespace == Self.xml {
                raw("xml:")
            } else if !namespace.isEmpty {
                let prefix = "a\(tag.count)"
                raw("xmlns:")
                raw(prefix)
                raw("='")
                escaped(namespace, in: .attribute)
                raw("' ")
                raw(prefix)
                raw(UInt8(ascii: ":"))
            }
        }
        let nameStart = bytes.count
        self.name(name)
        guard tag.insert(bytes, nameStart..<bytes.count, namespace: namespace) else {
            bytes.removeSubrange(start...)
            return
        }
        raw("='")
        escaped(value, in: .attribute)
        raw(UInt8(ascii: "'"))
    }
}

// MARK: bytes

extension XMLWriter {
    /// Writes a name, whatever it holds, as one that does not end the tag.
    private mutating func name(_ name: String) {
        var name = name
        let isPlain = name.withUTF8 { utf8 in
            guard unsafe XMLName.isPlain(utf8) else { return false }
            unsafe bytes.append(contentsOf: utf8)
            return true
        }
        if !isPlain { raw(XMLName.repaired(name)) }
    }

    mutating func raw(_ byte: UInt8) { bytes.append(byte) }

    mutating func raw(_ string: StaticString) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount))
    }

    mutating func raw(_ string: String) {
        var string = string
        string.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func raw(_ piece: UnsafeBufferPointer<UInt8>) { unsafe bytes.append(contentsOf: piece) }
}
