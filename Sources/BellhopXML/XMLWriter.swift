/// Writes XML straight into bytes, escaped, with a namespace declared only where it changes.
///
/// No string that comes in can end an element or begin one: text and values are escaped, characters that XML 1.0
/// forbids become U+FFFD, characters that a name cannot hold become `_`, and an attribute that is already there is left
/// out. What comes out, read back, gives the same elements.
public struct XMLWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    /// How many bytes they are.
    package var count: Int { bytes.count }

    /// An open element: what its end tag must say, and the default namespace outside it.
    private struct Frame {
        /// `</` with the prefix.
        var endTag: StaticString
        var name: String
        var outerNamespace: String
    }

    private var frames: [Frame] = []
    /// The default namespace in force at this place.
    private(set) var namespace: String
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
        let endTag = startTag(name, namespace, in: self.namespace)
        frames.append(Frame(endTag: endTag ?? "</", name: name, outerNamespace: self.namespace))
        if endTag == nil { self.namespace = Self.writable(namespace) }
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
            name(frame.endTag, frame.name, ">")
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
        let endTag = startTag(element.name, element.namespace, in: namespace)
        tag.removeAll()
        let attributes = element.attributes.span
        for index in attributes.indices {
            write(attribute: attributes[index].name, attributes[index].value, namespace: attributes[index].namespace)
        }
        if element.nodes.isEmpty { return raw("/>") }
        raw(">")
        let nodes = element.nodes.span
        for index in nodes.indices {
            switch nodes[index] {
            case .element(let child): write(child, in: endTag == nil ? Self.writable(element.namespace) : namespace)
            case .text(let text): escaped(text, in: .text)
            }
        }
        name(endTag ?? "</", element.name, ">")
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

    /// Writes a start tag without its `>`, and returns how its end tag begins where it has a prefix.
    private mutating func startTag(_ name: String, _ namespace: String, in outer: String) -> StaticString? {
        if namespace == outer {
            self.name("<", name, "")
            return nil
        }
        if namespace == Self.xml {
            self.name("<xml:", name, "")
            return "</xml:"
        }
        if knowsStreamPrefix && namespace == Self.streams {
            self.name("<stream:", name, "")
            return "</stream:"
        }
        self.name("<", name, " xmlns='")
        escaped(Self.writable(namespace), in: .attribute, "'")
        return nil
    }

    mutating func endTag() {
        guard isInTag else { return }
        isInTag = false
        raw(">")
    }

    /// Each attribute in a namespace brings a prefix of its own; only `xml` needs no declaration.
    private mutating func write(attribute name: String, _ value: String, namespace: String) {
        let start = bytes.count
        var namespace = namespace
        if namespace.isEmpty {
            raw(" ")
        } else {
            namespace = Self.writable(namespace)
            if namespace == Self.xml {
                raw(" xml:")
            } else if namespace.isEmpty {
                raw(" ")
            } else {
                let prefix = "a\(tag.count)"
                self.name(" xmlns:", prefix, "='")
                escaped(namespace, in: .attribute, "' ")
                self.name("", prefix, ":")
            }
        }
        let nameStart = bytes.count
        self.name("", name, "='")
        guard tag.insert(bytes, nameStart..<bytes.count - 2, namespace: namespace) else {
            bytes.removeSubrange(start...)
            return
        }
        escaped(value, in: .attribute, "'")
    }
}

// MARK: bytes

extension XMLWriter {
    /// Writes a name, whatever it holds, as one that does not end the tag.
    private mutating func name(_ before: StaticString, _ name: String, _ after: StaticString) {
        var name = name
        let isPlain = name.withUTF8 { utf8 in
            guard unsafe XMLName.isPlain(utf8) else { return false }
            unsafe raw(before, utf8, after)
            return true
        }
        if isPlain { return }
        name = XMLName.repaired(name)
        name.withUTF8 { unsafe raw(before, $0, after) }
    }

    mutating func raw(_ string: StaticString) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount))
    }

    mutating func raw(string: String) { bytes.append(contentsOf: string.utf8) }

    /// Appends three pieces with one look at the array's capacity; looking costs more than copying a few bytes.
    mutating func raw(_ before: StaticString, _ middle: UnsafeBufferPointer<UInt8>, _ after: StaticString) {
        let first = before.utf8CodeUnitCount
        let last = after.utf8CodeUnitCount
        bytes.append(addingCapacity: first + middle.count + last) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                guard let end = unsafe buffer.baseAddress.map({ unsafe $0 + count }) else { return }
                for index in 0..<first { unsafe end[index] = before.utf8Start[index] }
                if let source = middle.baseAddress {
                    unsafe (end + first).update(from: source, count: middle.count)
                }
                for index in 0..<last { unsafe end[first + middle.count + index] = after.utf8Start[index] }
                count += first + middle.count + last
            }
        }
    }
}
