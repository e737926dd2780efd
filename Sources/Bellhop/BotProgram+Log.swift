/// `log list` and `log show`.
extension BotProgram {
    func read(_ verb: Invocation.LogVerb, _ invocation: Invocation) -> ExitCode { .success }
}
