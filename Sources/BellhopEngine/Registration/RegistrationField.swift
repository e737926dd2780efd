internal import BellhopXML
internal import BellhopXMPP

/// One field of a registration's data form (XEP-0004 section 3.2, XEP-0221).
struct RegistrationField: Equatable {
    let name: String
    let values: [String]
    let hasMedia: Bool
    /// Where the picture or sound is shown.
    let mediaURL: String?
    /// The name of the picture where it came along (XEP-0231), like `sha1+…@bob.xmpp.org`.
    let contentID: String?
    private(set) var isWanted: Bool
    private let type: String
    private let label: String?
    private let options: [String]

    private init(_ element: Element) {
        name = element["var"] ?? ""
        type = element["type"] ?? "text-single"
        label = element["label"]
        isWanted = element.child("required", Namespace.dataForms) != nil && type != "hidden" && type != "fixed"
        values = Self.values(of: element)
        options = element.children.filter { $0.is("option", Namespace.dataForms) }.flatMap { Self.values(of: $0) }
        let media = element.child("media", Namespace.media)
        hasMedia = media != nil
        let addresses = media?.children.filter { $0.is("uri", Namespace.media) }.map(\.token) ?? []
        mediaURL = addresses.first { $0.hasPrefix("https://") || $0.hasPrefix("http://") }
        contentID = addresses.first { $0.hasPrefix("cid:") }.map { String($0.dropFirst(4)) }
    }

    private static func values(of element: Element) -> [String] {
        element.children.filter { $0.is("value", Namespace.dataForms) }.map(\.text)
    }

    /// The fields of a form, each name once.
    ///
    /// Of several riddles one has to be solved (XEP-0158 section 3); where none is marked as required, it is the first.
    static func all(of form: Element) -> [RegistrationField] {
        var fields: [RegistrationField] = []
        for element in form.children where element.is("field", Namespace.dataForms) {
            let field = RegistrationField(element)
            if !field.name.isEmpty, !fields.contains(where: { $0.name == field.name }) { fields.append(field) }
        }
        if !fields.contains(where: { $0.hasMedia && $0.isWanted }),
            let riddle = fields.firstIndex(where: { $0.hasMedia && $0.isForPeople })
        {
            fields[riddle].isWanted = true
        }
        return fields
    }

    var isHidden: Bool { type == "hidden" }

    /// Whether a person may have something to say to it.
    var isForPeople: Bool {
        type != "hidden" && type != "fixed" && !["username", "password"].contains(name)
            && !name.hasPrefix("captcha-fallback-")
    }

    private var takesSeveral: Bool { ["list-multi", "text-multi", "jid-multi"].contains(type) }

    /// What cannot be answered with these values.
    func fault(of values: [String]) -> RegistrationFailure.AnswerFault? {
        if values.count > 1 && !takesSeveral { return .severalValues(field: name) }
        let allowed = type == "boolean" ? ["true", "false", "1", "0"] : options
        guard ["list-single", "list-multi", "boolean"].contains(type), !allowed.isEmpty else { return nil }
        return values.allSatisfy(allowed.contains)
            ? nil : .notAnOption(field: name, options: Array(asked.options))
    }

    /// How a person is asked for it.
    var asked: RegistrationQuestion.Field {
        RegistrationQuestion.Field(
            name: name, label: label.map { String($0.prefix(200)) },
            options: type == "boolean" ? ["true", "false"] : Array(options.prefix(50)),
            takesSeveral: takesSeveral, isSecret: type == "text-private", isInPicture: hasMedia)
    }

    /// The field as it is submitted; a log has to know which of them are secret.
    func answered(_ values: [String]) -> Element {
        let field = Element("field", namespace: Namespace.dataForms).with("var", name)
        return values.reduce(type == "text-private" ? field.with("type", type) : field) {
            $0.with(Element("value", namespace: Namespace.dataForms).with(text: $1))
        }
    }
}
