package import BellhopXMPP

/// Who may run what is not open: the persons whom the configuration names, by their whole bare address.
package struct Permissions: Sendable {
    package let admins: [JID]
    private let adminTexts: Set<String>

    package init(admins: [JID]) {
        var seen: Set<String> = []
        self.admins = admins.map(\.bare).filter { seen.insert($0.bareText).inserted }
        adminTexts = seen
    }

    package func isAdmin(_ person: JID) -> Bool { adminTexts.contains(person.bareText) }

    func allow(_ person: JID, _ rules: RunRules) -> Bool { rules.isOpen || isAdmin(person) }
}
