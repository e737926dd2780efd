/// How a bot's process ends, in the numbers of sysexits.
package enum ExitCode: Int32, Sendable {
    case ok = 0
    case usage = 64
    case unavailable = 69
    case cannotCreate = 73
    case inputOutput = 74
    case alreadyRunning = 75
    case conflict = 76
    case loginRefused = 77
    case configuration = 78
}
