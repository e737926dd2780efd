internal import BellhopBot
internal import BellhopDiagnostics

extension ConfigurationForm where Value == [ProgramEntry] {
    /// A list of commands, each an object with keys of its own.
    static let programs = ConfigurationForm<[ProgramEntry]>.list(of: "a list of commands", show: { "\($0) commands" }) {
        node, index in
        program(node, index)
    }

    private static func program(_ node: JSONNode, _ place: Int) -> Result<ProgramEntry, ConfigurationFault> {
        var walker = ConfigurationWalker(keys: ConfigurationKeys.program)
        var draft = ProgramDraft()
        walker.walk(node, into: &draft)
        if case .object = node.value {
            for required in ["name", "run"] where walker.lacks(required) {
                walker.report(.missing, required, node.position)
            }
            checkAccess(draft, &walker, node)
            checkPlaceholders(draft, &walker, node)
        }
        guard walker.problems.isEmpty, let name = draft.name, let run = draft.run else {
            return .failure(walker.fault(in: node))
        }
        var command = Configuration.ProgramCommand(name: name, run: ProgramTemplate(run))
        command.help = draft.help ?? ""
        command.arguments = draft.arguments
        command.pass = draft.pass
        command.folder = draft.folder
        command.timeLimit = draft.timeLimit
        command.outputLimit = draft.outputLimit
        command.roles = draft.isOpen == true ? nil : draft.allowed?.map(\.role)
        command.isIdempotent = draft.isIdempotent
        command.isConfirmed = draft.isConfirmed
        return .success(
            ProgramEntry(
                command: command, place: place, position: node.position, variables: draft.environment,
                allowed: draft.allowed ?? []))
    }

    /// Nobody may run what nobody was named for: that is a mistake, and no command for admins.
    private static func checkAccess(
        _ draft: ProgramDraft, _ walker: inout ConfigurationWalker<ProgramDraft>, _ node: JSONNode
    ) {
        // What stands there and is wrong has its own complaint.
        if draft.allowed == nil && !walker.lacks("allow") || draft.isOpen == nil && !walker.lacks("open") { return }
        switch (draft.isOpen, draft.allowed) {
        case (true?, nil), (nil, .some), (false?, .some): break
        case (nil, nil): walker.report(.programForWhom, "", node.position)
        case (false?, nil): walker.report(.closedForWhom, "open", walker.seen["open"]?.position)
        case (true?, .some): walker.report(.allowBesideOpen, "allow", walker.seen["allow"]?.position)
        }
    }

    private static func checkPlaceholders(
        _ draft: ProgramDraft, _ walker: inout ConfigurationWalker<ProgramDraft>, _ node: JSONNode
    ) {
        // Arguments that could not be read are not unknown.
        guard let run = draft.run, !walker.problems.contains(where: { $0.path.hasPrefix("arguments") }) else { return }
        let position = walker.seen["run"]?.position ?? node.position
        let template = ProgramTemplate(run)
        let labels = draft.arguments.map(\.description.label)
        var used: Set<String> = []
        for place in run.indices {
            for label in template.labels(inWord: place) {
                used.insert(label)
                if place == 0 {
                    walker.report(.placeholderForProgram(label), "run[0]", position)
                } else if !labels.contains(label) {
                    let suggestion = NearestWord.find(label, among: labels)
                    walker.report(.unknownPlaceholder(label, suggestion: suggestion), "run[\(place)]", position)
                }
            }
        }
        guard draft.pass == .argv else { return }
        for (place, label) in labels.enumerated() where !used.contains(label) {
            walker.report(.argumentNotUsed(label), "arguments[\(place)]", walker.seen["arguments"]?.position)
        }
    }
}

extension ConfigurationForm where Value == [Configuration.ProgramArgument] {
    /// The arguments of one command.
    static let programArguments = {
        let list = ConfigurationForm<[Configuration.ProgramArgument]>.list(
            of: "a list of arguments", show: { "\($0) arguments" }
        ) { node, _ in argument(node) }
        return ConfigurationForm(
            wanted: list.wanted,
            read: { node in list.read(node).flatMap { checked($0, node) } },
            show: list.show)
    }()

    private static func checked(
        _ arguments: Value, _ node: JSONNode
    ) -> Result<Value, ConfigurationFault> {
        guard case .array(let nodes) = node.value else { return .success(arguments) }
        let descriptions = arguments.map(\.description)
        let faults = ArgumentDescription.mistakes(in: descriptions).map { place, mistake in
            ConfigurationFault.Item(
                place: "[\(place)]", position: nodes[place].position, kind: .argumentMistake(mistake))
        }
        return faults.isEmpty ? .success(arguments) : .failure(ConfigurationFault(faults))
    }

    private static func argument(_ node: JSONNode) -> Result<Configuration.ProgramArgument, ConfigurationFault> {
        var walker = ConfigurationWalker(keys: ConfigurationKeys.programArgument)
        var draft = ProgramArgumentDraft()
        walker.walk(node, into: &draft)
        if case .object = node.value {
            if walker.lacks("name") { walker.report(.missing, "name", node.position) }
            if draft.kind == .choice && walker.lacks("choices") { walker.report(.missing, "choices", node.position) }
            if draft.kind != .choice, draft.choices != nil {
                walker.report(.choicesOfNoChoice, "choices", walker.seen["choices"]?.position)
            }
            if draft.isOptional && draft.fallback != nil {
                walker.report(.optionalWithDefault, "optional", walker.seen["optional"]?.position)
            }
            if let pattern = draft.pattern, let fallback = draft.fallback, !pattern.matches(fallback) {
                walker.report(.defaultBesidePattern, "default", walker.seen["default"]?.position)
            }
        }
        guard walker.problems.isEmpty, let name = draft.name else { return .failure(walker.fault(in: node)) }
        let requirement: ArgumentDescription.Requirement =
            draft.fallback.map { .defaulted($0) } ?? (draft.isOptional ? .optional : .required)
        return .success(
            .init(
                ArgumentDescription(name, kind(draft), help: draft.help ?? "", requirement: requirement),
                pattern: draft.pattern))
    }

    private static func kind(_ draft: ProgramArgumentDraft) -> ArgumentKind {
        switch draft.kind {
        case .text: .text
        case .integer: .integer
        case .number: .number
        case .flag: .flag
        case .choice: .choice(draft.choices ?? [])
        case .rest: .rest
        }
    }
}

extension ConfigurationForm where Value == [VariableDraft] {
    /// An object: each variable's name with its value, or with the place of it.
    static let variables = {
        let wanted = "an object with a value for each variable"
        return ConfigurationForm(
            wanted: wanted,
            read: { node in
                guard case .object(let members) = node.value else {
                    return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
                }
                var variables: [VariableDraft] = []
                var faults: [ConfigurationFault.Item] = []
                var firsts: [String: TextPosition] = [:]
                for member in members {
                    let place = "." + member.key
                    if let first = firsts[member.key] {
                        faults.append(.init(place: place, position: member.position, kind: .duplicateKey(first: first)))
                        continue
                    }
                    firsts[member.key] = member.position
                    if member.key.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
                        faults.append(.init(place: place, position: member.position, kind: .malformedVariableName))
                    }
                    switch source(member.node) {
                    case .success(let source):
                        variables.append(.init(name: member.key, source: source, position: member.node.position))
                    case .failure(let fault): faults += fault.under(place).items
                    }
                }
                return faults.isEmpty ? .success(variables) : .failure(ConfigurationFault(faults))
            },
            show: { $0.isEmpty ? "{}" : "\($0.count) variables" })
    }()

    private static func source(_ node: JSONNode) -> Result<SecretSource, ConfigurationFault> {
        if case .string(let text) = node.value {
            // The one plain value that may be empty: a variable can be set to nothing.
            return text.utf8.contains(0)
                ? .failure(ConfigurationFault(.controlCharacter, at: node)) : .success(.plain(Secret(text)))
        }
        guard case .object = node.value else {
            let wanted = ConfigurationForm<Secret>.secret.wanted
            return .failure(ConfigurationFault(.wrongType(wanted: wanted, found: node.value.kind), at: node))
        }
        var walker = ConfigurationWalker(keys: ConfigurationKeys.secret)
        var password = ConfigurationDraft.Password()
        walker.walk(node, into: &password)
        guard walker.problems.isEmpty else { return .failure(walker.fault(in: node)) }
        guard let source = password.sources.first, password.sources.count == 1 else {
            let kind: ConfigurationProblem.Kind =
                password.sources.isEmpty
                ? .wrongType(wanted: ConfigurationForm<Secret>.secret.wanted, found: "an empty object")
                : .severalSecretSources
            return .failure(ConfigurationFault(kind, at: node))
        }
        return .success(source)
    }
}
