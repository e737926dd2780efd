internal import BellhopXMPP

/// What one person may run, asked again and again: the permissions with the person and the roster at hand.
struct AccessCheck {
    let permissions: Permissions
    let requester: Requester
    let groups: (JID) -> [String]

    func mayRun(_ command: Command) -> Bool { isAllowed(permissions.policy(for: command)) }

    func mayRun(_ builtin: Builtin) -> Bool { isAllowed(permissions.policy(for: builtin)) }

    func mayRun(_ runnable: Runnable) -> Bool { isAllowed(runnable.policy) }

    private func isAllowed(_ policy: AccessPolicy) -> Bool {
        permissions.decide(requester, policy, groups: groups).isAllowed
    }
}
