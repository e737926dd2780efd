internal import BellhopDiagnostics
internal import BellhopXMPP

/// A status as one JSON object; what is not known or not so is null.
extension BotStatus {
    package var json: String {
        let until: Timestamp? = if case .waiting(let moment) = connection { moment } else { nil }
        return JSONText.object([
            ("state", JSONText.string(state)), ("since", Self.moment(since)),
            ("until", until.map(Self.moment) ?? "null"), ("account", JSONText.string(account)),
            ("login", login?.json ?? "null"), ("contacts", "\(contacts)"), ("requests", "\(requests)"),
            ("queued", queued.map(String.init) ?? "null"), ("failed", failed.map(String.init) ?? "null"),
            ("logged", "\(logged)"), ("pause", pause?.json ?? "null"),
            ("trouble", trouble?.json ?? "null"), ("version", JSONText.string(version)),
            ("started", Self.moment(started)), ("uptime", "\(uptime)"),
        ])
    }

    private var state: String {
        switch connection {
        case .online: "online"
        case .connecting: "connecting"
        case .waiting: "waiting"
        }
    }

    fileprivate static func moment(_ moment: Timestamp) -> String { JSONText.string(moment.description) }

    init(json value: JSONValue) throws(JSONFields.Fault) {
        var fields = try JSONFields(value)
        let state = try fields.string("state")
        let until = try fields.optionalMoment("until")
        let connection: Connection
        switch (state, until) {
        case ("online", nil): connection = .online
        case ("connecting", nil): connection = .connecting
        case ("waiting", let until?): connection = .waiting(until: until)
        default: throw JSONFields.Fault("state is none")
        }
        self.init(
            version: try fields.string("version"), account: try fields.string("account"), connection: connection,
            since: try fields.moment("since"), login: try fields.optional("login", Login.init(json:)),
            contacts: try fields.integer("contacts"), requests: try fields.integer("requests"),
            queued: try fields.optionalInteger("queued"), failed: try fields.optionalInteger("failed"),
            logged: try fields.integer("logged"),
            pause: try fields.optional("pause", Pause.init(json:)),
            trouble: try fields.optional("trouble", Trouble.init(json:)), started: try fields.moment("started"),
            uptime: try fields.integer("uptime"))
        try fields.end()
    }
}

extension BotStatus.Login {
    fileprivate var json: String {
        JSONText.object([
            ("jid", JSONText.string(jid)), ("server", JSONText.string(server)),
            ("tls", tls.map(JSONText.string) ?? "null"), ("mechanism", JSONText.string(mechanism)),
        ])
    }

    fileprivate init(json value: JSONValue) throws(JSONFields.Fault) {
        var fields = try JSONFields(value)
        self.init(
            jid: try fields.string("jid"), server: try fields.string("server"), tls: try fields.optionalString("tls"),
            mechanism: try fields.string("mechanism"))
        try fields.end()
    }
}

extension BotStatus.Pause {
    fileprivate var json: String {
        JSONText.object([
            ("since", BotStatus.moment(since)), ("by", JSONText.string(by)), ("commands", "\(commands)"),
        ])
    }

    fileprivate init(json value: JSONValue) throws(JSONFields.Fault) {
        var fields = try JSONFields(value)
        self.init(
            since: try fields.moment("since"), by: try fields.string("by"), commands: try fields.integer("commands"))
        try fields.end()
    }
}

extension BotStatus.Trouble {
    fileprivate var json: String {
        JSONText.object([("reason", JSONText.string(reason)), ("at", BotStatus.moment(at))])
    }

    fileprivate init(json value: JSONValue) throws(JSONFields.Fault) {
        var fields = try JSONFields(value)
        self.init(reason: try fields.string("reason"), at: try fields.moment("at"))
        try fields.end()
    }
}
