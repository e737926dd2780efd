/// How a bot's program ends (sysexits.h), so that a supervisor and a script know whether trying again helps.
public enum ExitCode: Int32, Sendable, CaseIterable {
    /// Everything was done.
    case success = 0
    /// The answer to what was asked is no.
    case denied = 1
    /// The command line is wrong.
    case usage = 64
    /// A file that was given is not what it should be.
    case invalidData = 65
    /// The server can not be reached, or does not do what was asked.
    case unavailable = 69
    /// A file can not be made, or is there already.
    case cannotCreate = 73
    /// A file can not be read or written.
    case inputOutput = 74
    /// Another process of this bot is running.
    case alreadyRunning = 75
    /// Another login took our place, or the server speaks no XMPP that we can use.
    case conflict = 76
    /// The server refused the login.
    case loginRefused = 77
    /// The configuration is wrong.
    case configuration = 78

    /// One phrase for the help.
    package var meaning: String {
        switch self {
        case .success: "everything was done"
        case .denied: "the answer is no"
        case .usage: "the command line is wrong"
        case .invalidData: "the file is no sound backup"
        case .unavailable: "the server can't be reached, or does not do what was asked"
        case .cannotCreate: "a file can't be made, or is there already"
        case .inputOutput: "a file can't be read or written"
        case .alreadyRunning: "another process of this bot is running"
        case .conflict: "another login took the bot's place, or the server is none that it can use"
        case .loginRefused: "the server refused the login"
        case .configuration: "the configuration is wrong"
        }
    }
}
