internal import BellhopXML
internal import BellhopXMPP

/// What a server wants to know for an account, as plain fields or as a data form (XEP-0077 sections 3.1 and 4).
struct RegistrationForm: Equatable {
    private enum Shape: Equatable {
        /// The names of the plain fields.
        case plain([String])
        case form([Field])
        case web(url: String)
        case unusable
    }

    fileprivate struct Field: Equatable {
        let name: String
        let isHidden: Bool
        let isRequired: Bool
        /// A picture or a sound goes with it (XEP-0221).
        let hasMedia: Bool
        let values: [Element]

        init(_ element: Element) {
            name = element["var"] ?? ""
            isHidden = element["type"] == "hidden"
            isRequired = element.child("required", Namespace.dataForms) != nil
            hasMedia = element.children.contains { $0.name == "media" }
            values = element.children.filter { $0.is("value", Namespace.dataForms) }
        }
    }

    private let shape: Shape

    /// Reads the `<query/>` of the server's answer; a data form is preferred where both are there.
    init(_ query: Element) {
        let names = query.children.filter { $0.namespace == Namespace.register }.map(\.name)
        if let form = query.child("x", Namespace.dataForms) {
            shape = .form(form.children.filter { $0.is("field", Namespace.dataForms) }.map(Field.init))
        } else if names.contains("username"), names.contains("password") {
            shape = .plain(names)
        } else if let url = query.child("x", Namespace.outOfBand)?.child("url", Namespace.outOfBand)?.token {
            shape = .web(url: String(url.prefix(300)))
        } else {
            shape = .unusable
        }
    }

    /// The `<query/>` with name and password in it, or why it cannot be filled in.
    func filled(with credentials: Credentials) -> Result<Element, RegistrationFailure> {
        let query = Element("query", namespace: Namespace.register)
        let password = String(decoding: credentials.password, as: UTF8.self)
        switch shape {
        case .web(let url): return .failure(.web(url: url))
        case .unusable: return .failure(.unusableForm)
        case .plain:
            // Servers list more plain fields than they insist on, so the rest is left out and theirs is the last word.
            let username = Element("username", namespace: Namespace.register).with(text: credentials.user)
            return .success(
                query.with(username).with(Element("password", namespace: Namespace.register).with(text: password)))
        case .form(let fields):
            return filled(fields, user: credentials.user, password: password).map { query.with($0) }
        }
    }

    private func filled(_ fields: [Field], user: String, password: String) -> Result<Element, RegistrationFailure> {
        if fields.contains(where: \.isRiddle) { return .failure(.captcha) }
        let names = fields.map(\.name)
        guard names.contains("username"), names.contains("password") else { return .failure(.unusableForm) }
        let wanted = fields.filter {
            $0.isRequired && !$0.isHidden && !Self.known.contains($0.name) && $0.values.isEmpty
        }
        guard wanted.isEmpty else { return .failure(.moreWanted(fields: wanted.map { String($0.name.prefix(100)) })) }

        var form = Element("x", namespace: Namespace.dataForms).with("type", "submit")
        for field in fields {
            let values: [Element] =
                switch field.name {
                case "username": [Element("value", namespace: Namespace.dataForms).with(text: user)]
                case "password": [Element("value", namespace: Namespace.dataForms).with(text: password)]
                // What a field came with is its default, and what is hidden must come back as it was.
                default: field.isHidden || field.isRequired ? field.values : []
                }
            guard !values.isEmpty else { continue }
            var answer = Element("field", namespace: Namespace.dataForms).with("var", field.name)
            for value in values { answer = answer.with(value) }
            form = form.with(answer)
        }
        return .success(form)
    }

    private static let known: Set<String> = ["username", "password"]
}

extension RegistrationForm.Field {
    /// Whether only a person could answer it (XEP-0158).
    fileprivate var isRiddle: Bool {
        switch name {
        case "ocr", "challenge", "captcha-fallback-text", "captcha-fallback-url": true
        default: hasMedia || (isHidden && values.contains { $0.text == "urn:xmpp:captcha" })
        }
    }
}
