internal import BellhopCrypto
package import BellhopXML

/// Logins with tokens (XEP-0484), as a server that gives them out plays them; written for itself, so that the client's mistakes
/// are not shared.
extension TestConnection {
    package static let fast = "urn:xmpp:fast:0"

    /// The offer of these mechanisms, to be put beside what else goes along with a login.
    package static func offersTokens(_ mechanisms: [String]) -> String {
        "<fast xmlns='\(fast)'>\(mechanisms.map { "<mechanism>\($0)</mechanism>" }.joined())</fast>"
    }

    /// Takes a login with this token, which must be right; returns what the client opened it with.
    ///
    /// `grant` says what the success holds beside the server's proof, and what comes right behind it; a server that does not know
    /// the token makes the proof up.
    package func authenticateByToken(
        _ account: String, _ token: String, knowsToken: Bool = true,
        grant: (Element) -> (inside: String, behind: String)
    ) async throws -> Element {
        let sasl2 = "urn:xmpp:sasl:2"
        let opening = try await expect("authenticate", sasl2)
        let local = account.split(separator: "@").first.map(String.init) ?? account
        let message = Base64.decode(opening.child("initial-response", sasl2)?.text ?? "") ?? []
        guard let data = bound(opening["mechanism"] ?? ""), opening.child("fast", Self.fast)?["count"] != nil,
            message == Array(local.utf8) + [0] + Self.proof(token, "Initiator", data)
        else {
            refuseLogin("not-authorized")
            throw TestServerFailure(
                wanted: "a login with a token", reason: .wrong("the client's proof is not right"), instead: unread)
        }
        let proof = Self.proof(knowsToken ? token : "another", "Responder", data)
        let (inside, behind) = grant(opening)
        send(
            "<success xmlns='\(sasl2)'><additional-data>\(Base64.encode(proof))</additional-data>\(inside)</success>"
                + behind)
        return opening
    }

    /// Says no to a login by SASL2; the stream goes on.
    package func refuseLogin(_ condition: String, text: String = "") {
        send(
            "<failure xmlns='urn:xmpp:sasl:2'><\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>"
                + (text.isEmpty ? "" : "<text>\(text)</text>") + "</failure>")
    }

    /// What of the TLS session a mechanism's proofs hold; nil for one that is not known.
    private func bound(_ mechanism: String) -> [UInt8]? {
        switch mechanism {
        case "HT-SHA-256-EXPR": bindings["tls-exporter"]
        case "HT-SHA-256-ENDP": bindings["tls-server-end-point"]
        case "HT-SHA-256-NONE": []
        default: nil
        }
    }

    private static func proof(_ token: String, _ role: String, _ data: [UInt8]) -> [UInt8] {
        Hash.sha256.hmac(key: Array(token.utf8), Array(role.utf8) + data)
    }
}
