import BellhopCrypto

@testable import Bellhop
@testable import BellhopTestServer

/// A server that does not know the password, or wants to learn something of it.
extension HostileTable {
    private static let notGenuine =
        "authentication failed: the server did not prove that it knows the password; somebody may sit between"
    private static let noSCRAM =
        "authentication failed: what the server answered is no SCRAM; somebody may sit between"

    private static func few(_ count: Int) -> String {
        "authentication given up: the server asks for \(count) SCRAM iterations, and fewer than 4096 protect "
            + "the password too little; raise it on the server"
    }

    private static func many(_ count: String) -> String {
        "authentication given up: the server asks for \(count) SCRAM iterations, and more than 1000000 "
            + "could keep the bot busy for as long as anybody likes; lower it on the server"
    }

    /// A proof of the right length.
    private static let wrong = "v=AAAARkTPQb0gSzmmFnKZSI4jNgzpErcWKuoYGa5P7fc="

    /// The answer to the bot's first message, and what the bot says of it; its proof may not leave.
    private static func challenge(
        _ name: String, _ sentence: String, _ message: @escaping @Sendable (_ nonce: String) -> String
    ) -> HostileRow {
        HostileRow(name, at: .offered, .ends(.loginRefused, sentence), told: .name) {
            try await $0.challenge(message)
        }
    }

    /// What comes once the bot's proof is out.
    private static func answer(
        _ name: String, _ xml: String, _ ending: HostileRow.Ending = .ends(.loginRefused, notGenuine)
    ) -> HostileRow {
        HostileRow(name, at: .offered, ending, told: .proof) {
            try await $0.takeProof()
            $0.connection.send(xml)
        }
    }

    static let proofs: [HostileRow] =
        [("", "nothing in it"), ("=", "an empty proof"), ("dj0=", "half a proof"), ("dj1BQUFBQUFBQUFBQUE9", "a proof")]
        .map { text, what in
            HostileRow(
                "<success/> at once, with \(what)", at: .offered, .ends(.loginRefused, notGenuine), told: .name
            ) {
                _ = try await $0.connection.expect("auth", sasl)
                $0.connection.send("<success xmlns='\(sasl)'>\(text)</success>")
            }
        }
        + [
            HostileRow(
                "<success/> before anybody asked", at: .opened,
                .comesBack("the server sent an unexpected <success> before it said what it offers"),
                sends: "<success xmlns='\(sasl)'/>"),
            challenge("one iteration", few(1)) { "r=\($0)x,s=QSXCR+Q6sek8bf92,i=1" },
            challenge("4,095 iterations", few(4_095)) { "r=\($0)x,s=QSXCR+Q6sek8bf92,i=4095" },
            challenge("no iteration", noSCRAM) { "r=\($0)x,s=QSXCR+Q6sek8bf92,i=0" },
            challenge("2^31 iterations", many("2147483648")) { "r=\($0)x,s=QSXCR+Q6sek8bf92,i=2147483648" },
            challenge("1,000,001 iterations", many("1000001")) { "r=\($0)x,s=QSXCR+Q6sek8bf92,i=1000001" },
            challenge("2^64 iterations", many("too many")) { "r=\($0)x,s=QSXCR+Q6sek8bf92,i=18446744073709551616" },
            challenge("fewer than no iterations", noSCRAM) { "r=\($0)x,s=QSXCR+Q6sek8bf92,i=-1" },
            challenge("iterations that are no number", noSCRAM) { "r=\($0)x,s=QSXCR+Q6sek8bf92,i=0x1000" },
            challenge("no word of iterations", noSCRAM) { "r=\($0)x,s=QSXCR+Q6sek8bf92" },
            challenge("the bot's own nonce, and nothing added", noSCRAM) { "r=\($0),s=QSXCR+Q6sek8bf92,i=4096" },
            challenge("another nonce", noSCRAM) { _ in "r=fyko+d2lbbFgONRv9qkxdawL,s=QSXCR+Q6sek8bf92,i=4096" },
            challenge("a nonce that ends with the bot's", noSCRAM) { "r=x\($0),s=QSXCR+Q6sek8bf92,i=4096" },
            challenge("no salt", noSCRAM) { "r=\($0)x,s=,i=4096" },
            challenge("a salt that is no base64", noSCRAM) { "r=\($0)x,s=!!!,i=4096" },
            challenge(
                "an extension that must be understood",
                "authentication given up: the server asks for a SCRAM extension that the bot does not know"
            ) { "m=x,r=\($0)x,s=QSXCR+Q6sek8bf92,i=4096" },
            challenge("an empty challenge", noSCRAM) { _ in "" },
            challenge("a challenge of 40 kilobytes", noSCRAM) { _ in String(repeating: "r=x,", count: 10_000) },
            challenge("a proof before the bot's", noSCRAM) { _ in wrong },
            HostileRow("a challenge that is no base64", at: .offered, .ends(.loginRefused, noSCRAM), told: .name) {
                _ = try await $0.connection.expect("auth", sasl)
                $0.connection.send("<challenge xmlns='\(sasl)'>r=x,s=y,i=1</challenge>")
            },
            answer("<success/> without a proof", "<success xmlns='\(sasl)'/>"),
            answer("<success/> with an empty one", "<success xmlns='\(sasl)'>=</success>"),
            answer("<success/> with a wrong one", element("success", wrong)),
            answer("<success/> with a short one", element("success", "v=AAAA")),
            answer("<success/> with the bot's own words", element("success", "c=biws")),
            answer("a wrong one in a challenge", element("challenge", wrong)),
            answer("the first challenge once more", element("challenge", "r=x,s=eA==,i=4096")),
            HostileRow("challenges without end", at: .offered, .ends(.loginRefused, noSCRAM), told: .proof) { scene in
                // It knows the password, and says so in a challenge, as it may; then it goes on.
                let proof = try await scene.takeProof(andVerify: HostileScene.password)
                let challenge = "<challenge xmlns='\(sasl)'>\(Base64.encode(proof))</challenge>"
                scene.connection.send(String(repeating: challenge, count: 1_000))
            },
            answer(
                "an error in the place of the proof", element("success", "e=other-error"),
                .ends(.loginRefused, "authentication failed: the server said \u{201C}other-error\u{201D}")),
            HostileRow(
                "another stream at once, as if the way in stood open", at: .offered,
                .comesBack("the login took more than 30 s (during the login); account.timeout sets the limit"),
                told: .name
            ) { scene in
                _ = try await scene.connection.expect("auth", sasl)
                scene.connection.send(header.dropFirst(21) + features(bind))
                try await scene.pass(seconds: 31)
            },
        ]
}
