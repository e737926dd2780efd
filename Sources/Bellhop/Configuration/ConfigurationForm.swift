/// How one kind of value is written in a configuration: its name for people, how it is read, how a default is shown.
struct ConfigurationForm<Value: Sendable>: Sendable {
    /// Continues "must be", like `a duration like "30s"`.
    var wanted: String
    /// The value that the node holds, or what is wrong with it.
    var read: @Sendable (JSONNode) -> Result<Value, ConfigurationFault>
    /// As it would stand in the file.
    var show: @Sendable (Value) -> String

    /// The same form under another name, where more than it may stand in its place.
    func named(_ wanted: String) -> Self {
        ConfigurationForm(
            wanted: wanted,
            read: { [read] node in
                read(node).mapError { fault in
                    ConfigurationFault(
                        fault.items.map { item in
                            guard case .wrongType(_, let found) = item.kind else { return item }
                            return .init(
                                place: item.place, position: item.position,
                                kind: .wrongType(wanted: wanted, found: found))
                        })
                }
            },
            show: show)
    }

    /// The form of a value that may be left out, or be `null`.
    var optional: ConfigurationForm<Value?> {
        ConfigurationForm<Value?>(
            wanted: wanted,
            read: { [read] node in node.value == .null ? .success(nil) : read(node).map { $0 } },
            show: { [show] value in value.map(show) ?? "none" })
    }
}

/// What is wrong with a value, where a form finds it; a list has a fault for each of its elements.
struct ConfigurationFault: Error, Sendable {
    var items: [Item]

    struct Item: Sendable {
        /// Appended to the path, like `[2]`.
        var place: String
        var position: TextPosition
        var kind: ConfigurationProblem.Kind
    }

    init(_ items: [Item]) { self.items = items }

    init(_ kind: ConfigurationProblem.Kind, at node: JSONNode, place: String = "") {
        items = [Item(place: place, position: node.position, kind: kind)]
    }
}

extension ConfigurationForm {
    /// Reads a text; what is no text is a wrong type.
    init(
        text wanted: String, show: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) -> Result<Value, ConfigurationProblem.Kind>
    ) {
        self.wanted = wanted
        self.show = show
        self.read = { node in
            guard case .string(let text) = node.value else {
                return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
            }
            return read(text).mapError { ConfigurationFault($0, at: node) }
        }
    }
}
