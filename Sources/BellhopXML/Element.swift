/// One XML element with its namespace, attributes and content.
///
/// Names are compared as (namespace, local name); prefixes do not exist here. The parser never hands out an element
/// that is not well-formed, and the serialiser never writes one.
public struct Element: Hashable, Sendable {
    /// The local name, without a prefix.
    public var name: String
    /// The namespace name; empty when the element is in no namespace.
    public var namespace: String
    public var attributes: [Attribute]
    public var nodes: [Node]

    /// One attribute; `namespace` is empty for the usual, unprefixed ones.
    public struct Attribute: Hashable, Sendable {
        public var name: String
        public var namespace: String
        public var value: String

        public init(_ name: String, _ value: String, namespace: String = "") {
            self.name = name
            self.value = value
            self.namespace = namespace
        }
    }

    public enum Node: Hashable, Sendable {
        case element(Element)
        case text(String)
    }

    public init(_ name: String, namespace: String, attributes: [Attribute] = [], nodes: [Node] = []) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
        self.nodes = nodes
    }

    /// The value of the unprefixed attribute of this name; setting nil removes it.
    public subscript(_ attribute: String) -> String? {
        get {
            for candidate in attributes where candidate.name == attribute && candidate.namespace.isEmpty {
                return candidate.value
            }
            return nil
        }
        set {
            let index = attributes.firstIndex { $0.name == attribute && $0.namespace.isEmpty }
            switch (index, newValue) {
            case (let index?, let value?): attributes[index].value = value
            case (let index?, nil): attributes.remove(at: index)
            case (nil, let value?): attributes.append(Attribute(attribute, value))
            case (nil, nil): break
            }
        }
    }

    /// The child elements in document order, text left out.
    public var children: [Element] {
        nodes.compactMap { if case .element(let child) = $0 { child } else { nil } }
    }

    /// The first child element with this name and namespace.
    public func child(_ name: String, _ namespace: String) -> Element? {
        for case .element(let child) in nodes where child.name == name && child.namespace == namespace {
            return child
        }
        return nil
    }

    /// The text directly inside this element, pieces joined; the text of its children is left out.
    public var text: String {
        if nodes.count == 1, case .text(let text) = nodes[0] { return text }
        var joined = ""
        for case .text(let text) in nodes { joined += text }
        return joined
    }

    /// Whether the element has this name and namespace.
    public func `is`(_ name: String, _ namespace: String) -> Bool {
        self.name == name && self.namespace == namespace
    }

    /// The same element with the attribute set, or left as it is when the value is nil.
    public func with(_ attribute: String, _ value: String?) -> Element {
        guard let value else { return self }
        var copy = self
        copy[attribute] = value
        return copy
    }

    /// The same element with a child element appended.
    public func with(_ child: Element) -> Element {
        var copy = self
        copy.nodes.append(.element(child))
        return copy
    }

    /// The same element with text appended.
    public func with(text: String) -> Element {
        var copy = self
        copy.nodes.append(.text(text))
        return copy
    }
}
