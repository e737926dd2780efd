/// How far a login has come when the steps of a case begin.
enum CaseStage: Sendable {
    /// No bot runs; the steps hand over a configuration.
    case configuring
    /// The bot has connected and said nothing.
    case connected
    /// The stream is open in the clear; the steps send the features.
    case clearStream
    /// TLS is up and the stream is open; the steps send the features.
    case secureStream
    /// TLS is up and mechanisms are offered.
    case offered
    /// TLS is up and the server offers accounts; the bot was asked to register one.
    case registering
    case online

    init(of name: String) {
        switch name {
        case "C002": self = .connected
        case "C007": self = .clearStream
        case "C010": self = .offered
        case "C011": self = .secureStream
        case "C019": self = .registering
        case "C144": self = .configuring
        default: self = .online
        }
    }
}
