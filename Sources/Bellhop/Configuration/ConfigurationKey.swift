/// One key of the configuration: where it stands, what it takes, where its value goes.
struct ConfigurationKey<Target: Sendable>: Sendable {
    /// From the top, like `account.timeout`; from the rule for a rule's keys.
    var path: String
    /// Continues "must be", like `true or false`.
    var wanted: String
    /// As it would stand in the file, or a word like `none`.
    var standard: String
    /// A value other than the default, as it would stand in the file.
    var example: String
    /// One sentence for people.
    var meaning: String
    /// Puts the node's value into the target, or says what is wrong with it.
    var read: @Sendable (JSONNode, inout Target) -> [ConfigurationFault.Item]
    /// Whether two targets hold different values of it.
    var differs: @Sendable (Target, Target) -> Bool

    /// A key whose default is what a fresh target holds.
    init<Value: Equatable>(
        _ path: String, _ form: ConfigurationForm<Value>, _ place: any WritableKeyPath<Target, Value> & Sendable,
        in fresh: Target, example: String, _ meaning: String
    ) {
        self.init(
            path: path, wanted: form.wanted, standard: form.show(fresh[keyPath: place]), example: example,
            meaning: meaning, differs: { $0[keyPath: place] != $1[keyPath: place] }
        ) { node, target in
            switch form.read(node) {
            case .success(let value):
                target[keyPath: place] = value
                return []
            case .failure(let fault): return fault.items
            }
        }
    }

    /// A key that may be left out, or be `null`.
    init<Value: Equatable>(
        optional path: String, _ form: ConfigurationForm<Value>,
        _ place: any WritableKeyPath<Target, Value?> & Sendable, in fresh: Target, example: String, _ meaning: String
    ) {
        self.init(path, form.optional, place, in: fresh, example: example, meaning)
    }

    private init(
        path: String, wanted: String, standard: String, example: String, meaning: String,
        differs: @escaping @Sendable (Target, Target) -> Bool,
        read: @escaping @Sendable (JSONNode, inout Target) -> [ConfigurationFault.Item]
    ) {
        self.path = path
        self.wanted = wanted
        self.standard = standard
        self.example = example
        self.meaning = meaning
        self.differs = differs
        self.read = read
    }

    /// The same key with another word for its default.
    func standing(for standard: String) -> Self {
        var key = self
        key.standard = standard
        return key
    }
}
