internal import BellhopTransport
internal import BellhopXMPP

/// What the command line asks for.
struct VisitorOptions {
    enum Work: Equatable {
        case register
        /// Ask for friendship and go when it is granted.
        case befriend(JID)
        /// With a text: say it once, print the reply, and go.
        case talk(to: JID, say: String?)
    }

    var task: Work
    var jid: JID
    var server: Endpoint
    var authorities: String
    var passwordFile: String

    struct Problem: Error {
        var sentence: String
    }

    static let usage = """
        usage: visitor register --server HOST:PORT --ca FILE --jid JID --password-file FILE
               visitor befriend --server HOST:PORT --ca FILE --jid JID --password-file FILE --to JID
               visitor talk     --server HOST:PORT --ca FILE --jid JID --password-file FILE --to JID [--say TEXT]
        """

    static func parse(_ arguments: [String]) -> Result<VisitorOptions, Problem> {
        do throws(Problem) {
            return .success(try VisitorOptions(arguments))
        } catch {
            return .failure(error)
        }
    }

    private init(_ arguments: [String]) throws(Problem) {
        guard let word = arguments.first else { throw Problem(sentence: "say what to do: register, befriend or talk") }
        var values: [String: String] = [:]
        var rest = arguments.dropFirst()
        while let option = rest.popFirst() {
            guard option.hasPrefix("--"), let value = rest.popFirst() else {
                throw Problem(sentence: "\(option) is no option with a value")
            }
            values[option] = value
        }
        jid = try Self.jid(values, "--jid")
        server = try Self.endpoint(try Self.value(values, "--server"))
        authorities = try Self.value(values, "--ca")
        passwordFile = try Self.value(values, "--password-file")
        switch word {
        case "register": task = .register
        case "befriend": task = .befriend(try Self.jid(values, "--to"))
        case "talk": task = .talk(to: try Self.jid(values, "--to"), say: values["--say"])
        default: throw Problem(sentence: "\(word) is none of register, befriend and talk")
        }
    }

    private static func value(_ values: [String: String], _ name: String) throws(Problem) -> String {
        guard let value = values[name] else { throw Problem(sentence: "\(name) is missing") }
        return value
    }

    private static func jid(_ values: [String: String], _ name: String) throws(Problem) -> JID {
        let text = try value(values, name)
        guard let jid = try? JID(text) else { throw Problem(sentence: "\(name): \(text) is no JID") }
        return jid
    }

    private static func endpoint(_ text: String) throws(Problem) -> Endpoint {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw Problem(sentence: "--server: \(text) is not HOST:PORT")
        }
        return Endpoint(host: String(text[..<colon]), port: port)
    }
}
