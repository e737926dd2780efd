import Bellhop

extension Command {
    /// Who is logged in.
    static func who(on machine: Machine) -> Command {
        Command("who", "Who is logged in") { _ in WhoReport(try await machine.output(of: ["who"])).text }
            .allow(.ops).idempotent()
    }
}

/// The logins that who(1) lists.
struct WhoReport: Equatable {
    struct Login: Equatable {
        var person: String
        var line: String
        var time: String
        /// Where from; nil on the machine itself.
        var host: String?
    }

    static let most = 40

    var logins: [Login] = []

    init(_ lines: [String]) {
        for line in lines {
            var fields = Fields.of(line)
            guard fields.count >= 3 else { continue }
            var host: String?
            if let last = fields.last, last.hasPrefix("("), last.hasSuffix(")") {
                host = String(last.dropFirst().dropLast())
                fields.removeLast()
            }
            logins.append(
                Login(person: fields[0], line: fields[1], time: fields.dropFirst(2).joined(separator: " "), host: host))
        }
    }

    var text: String {
        guard !logins.isEmpty else { return "Nobody is logged in." }
        var lines = logins.prefix(Self.most).map { login in
            "\(login.person) on \(login.line) since \(login.time)" + (login.host.map { " from \($0)" } ?? "")
        }
        if logins.count > Self.most { lines.append("and \(logins.count - Self.most) more") }
        return lines.joined(separator: "\n")
    }
}
