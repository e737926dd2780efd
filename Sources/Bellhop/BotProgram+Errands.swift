/// `send`, `roster` and `requests`.
extension BotProgram {
    func errand(_ invocation: Invocation) -> ExitCode { .success }
}
