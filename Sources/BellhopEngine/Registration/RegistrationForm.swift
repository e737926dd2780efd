internal import BellhopXML
internal import BellhopXMPP

/// What a server wants to know for an account, as plain fields or as a data form (XEP-0077 sections 3.1 and 4).
struct RegistrationForm: Equatable {
    private enum Shape: Equatable {
        /// The names of the plain fields, and what a server wants to see again.
        case plain([String], key: String?)
        case form([RegistrationField])
        case web(url: String)
        case alreadyRegistered
        case unusable
    }

    /// What comes of filling it in.
    enum Filling: Equatable {
        case complete(Element)
        /// A person could complete it.
        case incomplete(RegistrationQuestion)
        case failed(RegistrationFailure)
    }

    private let shape: Shape
    private let instructions: String?
    private let url: String?
    private let picture: RegistrationQuestion.Picture?

    /// More fields than that no person fills in.
    private static let fieldLimit = 100

    /// Reads the `<query/>` of the server's answer; a data form is preferred where both are there.
    init(_ query: Element) {
        let form = query.children.first { Self.isRegistration($0) }
        let names = query.children.filter { $0.namespace == Namespace.register }.map(\.name)
        let elsewhere = (query.child("x", Namespace.outOfBand) ?? form?.child("x", Namespace.outOfBand))?
            .child("url", Namespace.outOfBand)?.token
        if names.contains("registered") {
            shape = .alreadyRegistered
        } else if let form {
            let fields = RegistrationField.all(of: form)
            let names = fields.map(\.name)
            let isUsable =
                fields.count <= Self.fieldLimit && names.contains("username") && names.contains("password")
            shape = isUsable ? .form(fields) : .unusable
        } else if names.contains("username"), names.contains("password") {
            shape = .plain(
                Array(names.filter { !Self.notAsked.contains($0) }.prefix(Self.fieldLimit)),
                key: query.child("key", Namespace.register)?.text)
        } else if let elsewhere {
            shape = .web(url: String(elsewhere.prefix(300)))
        } else {
            shape = .unusable
        }
        let words =
            form?.child("instructions", Namespace.dataForms) ?? query.child("instructions", Namespace.register)
        instructions = words.map(\.token).flatMap { $0.isEmpty ? nil : String($0.prefix(500)) }
        var fields: [RegistrationField] = []
        if case .form(let all) = shape { fields = all }
        let fallback = fields.first { $0.name == "captcha-fallback-url" }?.values.first
        url = (fallback ?? fields.firstNonNil(\.mediaURL) ?? elsewhere).map { String($0.prefix(300)) }
        picture = fields.firstNonNil(\.contentID).flatMap { BitsOfBinary.content($0, in: query) }
            .map { RegistrationQuestion.Picture(type: $0.type, bytes: $0.bytes) }
    }

    private static let notAsked: Set<String> = ["instructions", "username", "password", "key", "registered", "remove"]

    /// XEP-0158 names another form type than the servers that use it send.
    private static func isRegistration(_ element: Element) -> Bool {
        guard element.is("x", Namespace.dataForms), (element["type"] ?? "form") == "form" else { return false }
        let type = element.children.first { $0.is("field", Namespace.dataForms) && $0["var"] == "FORM_TYPE" }?
            .child("value", Namespace.dataForms)?.token
        return type == nil || type == Namespace.register || type == Namespace.captcha
    }

    /// Whether a person has to read a picture.
    var isRiddle: Bool {
        guard case .form(let fields) = shape else { return false }
        return fields.contains { $0.hasMedia && $0.isWanted }
    }

    /// What the form asks for that is optional, or cannot be known to be wanted.
    func unanswered(_ answers: [String: [String]]) -> [String] {
        switch shape {
        case .plain(let names, _): names.filter { answers[$0] == nil }
        case .form(let fields):
            fields.filter { $0.isForPeople && answers[$0.name] == nil }.map(\.name)
        case .web, .alreadyRegistered, .unusable: []
        }
    }

    /// The `<query/>` with name, password and these answers in it, or why it cannot be filled in.
    func filled(with credentials: Credentials, _ answers: [String: [String]]) -> Filling {
        switch shape {
        case .web(let url): return .failed(.web(url: url, instructions: instructions))
        case .unusable: return .failed(.unusableForm)
        case .alreadyRegistered: return .failed(.alreadyRegistered)
        case .plain(let names, let key): return filled(names, key: key, credentials, answers)
        case .form(let fields): return filled(fields, credentials, answers)
        }
    }

    /// Servers list more plain fields than they insist on, so what nobody answered is left out, and theirs is the last word.
    private func filled(
        _ names: [String], key: String?, _ credentials: Credentials, _ answers: [String: [String]]
    ) -> Filling {
        if let fault = unknown(answers, among: names) { return .failed(.badAnswer(fault)) }
        var query = Element("query", namespace: Namespace.register)
        func add(_ name: String, _ text: String) {
            query = query.with(Element(name, namespace: Namespace.register).with(text: text))
        }
        add("username", credentials.user)
        add("password", String(decoding: credentials.password, as: UTF8.self))
        for name in names {
            guard let values = answers[name], let value = values.first else { continue }
            if values.count > 1 { return .failed(.badAnswer(.severalValues(field: name))) }
            add(name, value)
        }
        if let key { add("key", key) }
        return .complete(query)
    }

    private func filled(
        _ fields: [RegistrationField], _ credentials: Credentials, _ answers: [String: [String]]
    ) -> Filling {
        if let fault = unknown(answers, among: fields.filter(\.isForPeople).map(\.name)) {
            return .failed(.badAnswer(fault))
        }
        var form = Element("x", namespace: Namespace.dataForms).with("type", "submit")
        var wanted: [RegistrationQuestion.Field] = []
        for field in fields {
            let values: [String]
            if field.name == "username" {
                values = [credentials.user]
            } else if field.name == "password" {
                values = [String(decoding: credentials.password, as: UTF8.self)]
            } else if let given = answers[field.name] {
                if let fault = field.fault(of: given) { return .failed(.badAnswer(fault)) }
                values = given
            } else if field.isWanted, field.values.isEmpty || field.hasMedia {
                wanted.append(field.asked)
                continue
            } else {
                // What a field came with is its default, and what is hidden must come back as it was.
                values = field.isHidden || field.isWanted ? field.values : []
            }
            if !values.isEmpty { form = form.with(field.answered(values)) }
        }
        guard wanted.isEmpty else {
            return .incomplete(
                RegistrationQuestion(instructions: instructions, url: url, picture: picture, fields: wanted))
        }
        return .complete(Element("query", namespace: Namespace.register).with(form))
    }

    /// A misspelt name would otherwise be left out without a word.
    private func unknown(
        _ answers: [String: [String]], among known: [String]
    ) -> RegistrationFailure.AnswerFault? {
        answers.keys.sorted().first { !known.contains($0) }.map {
            .unknownField($0, known: Array(known.prefix(20)))
        }
    }
}

extension [RegistrationField] {
    fileprivate func firstNonNil(_ part: (RegistrationField) -> String?) -> String? {
        for field in self {
            if let value = part(field) { return value }
        }
        return nil
    }
}
