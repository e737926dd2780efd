import BellhopCrypto
import BellhopEngine
import Testing

@Suite("What of a server's offer is taken")
struct SASLMeansTests {
    /// One row of the table.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var offer: [String] = ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS", "PLAIN"]
        var listed: [String]?
        var ours: [ChannelBindingType] = ChannelBindingType.allCases
        var policy = ChannelBindingPolicy.auto
        var certificate = false
        var plain = false
        var proven: SASLMechanism?
        var choice: (SASLMechanism, ChannelBinding)?
        var failure: SASLFailure?

        init(_ name: String, _ change: (inout Row) -> Void) {
            testDescription = name
            change(&self)
        }
    }

    static let exporter = ChannelBinding.bound(.exporter, data: [7])
    static let endPoint = ChannelBinding.bound(.serverEndPoint, data: [7])

    static let bindingTable: [Row] = [
        Row("a list with both types: the exporter") {
            $0.listed = ["tls-server-end-point", "tls-exporter"]
            $0.choice = (.scramSHA1Plus, exporter)
        },
        Row("a list with the end point alone") {
            $0.listed = ["tls-unique", "tls-server-end-point"]
            $0.choice = (.scramSHA1Plus, endPoint)
        },
        Row("a list with both, of which TLS 1.2 has the end point alone") {
            $0.listed = ["tls-exporter", "tls-server-end-point"]
            $0.ours = [.serverEndPoint]
            $0.choice = (.scramSHA1Plus, endPoint)
        },
        Row("-PLUS with a weaker hash before SCRAM without") {
            $0.offer = ["SCRAM-SHA-512", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-1"]
            $0.listed = ["tls-exporter"]
            $0.choice = (.scramSHA1Plus, exporter)
        },
        Row("the strongest -PLUS") {
            $0.offer = ["SCRAM-SHA-1-PLUS", "SCRAM-SHA-512-PLUS", "SCRAM-SHA-256-PLUS"]
            $0.listed = ["tls-exporter"]
            $0.choice = (.scramSHA512Plus, exporter)
        },
        Row("a list of types that we do not have (Prosody 0.12 with TLS 1.2)") {
            $0.listed = ["tls-unique"]
            $0.choice = (.scramSHA1, .unsupported)
        },
        Row("an empty list") {
            $0.listed = []
            $0.choice = (.scramSHA1, .unsupported)
        },
        Row("-PLUS without a list (ejabberd 23.01)") { $0.choice = (.scramSHA1, .unsupported) },
        Row("-PLUS alone and no list: a guess is better than nothing") {
            $0.offer = ["SCRAM-SHA-1-PLUS", "PLAIN"]
            $0.choice = (.scramSHA1Plus, exporter)
        },
        Row("-PLUS alone, with a list of others: PLAIN is no way out") {
            $0.offer = ["SCRAM-SHA-1-PLUS", "PLAIN"]
            $0.listed = ["tls-unique"]
            $0.plain = true
            $0.failure = .cannotBind(
                .noCommonType(listed: ["tls-unique"], ours: ChannelBindingType.allCases),
                offered: ["SCRAM-SHA-1-PLUS", "PLAIN"])
        },
        Row("neither -PLUS nor a list: we say that we could") {
            $0.offer = ["SCRAM-SHA-1"]
            $0.choice = (.scramSHA1, .notOffered)
        },
        Row("neither, and we could not either") {
            $0.offer = ["SCRAM-SHA-1"]
            $0.ours = []
            $0.choice = (.scramSHA1, .unsupported)
        },
        Row("a list and no -PLUS (Prosody with -PLUS disabled)") {
            $0.offer = ["SCRAM-SHA-1"]
            $0.listed = ["tls-exporter"]
            $0.choice = (.scramSHA1, .unsupported)
        },
        Row("a list with ours, and no TLS that could be bound to") {
            $0.listed = ["tls-exporter"]
            $0.ours = []
            $0.choice = (.scramSHA1, .unsupported)
        },
        Row("off: -PLUS is passed over, and nothing is claimed") {
            $0.listed = ["tls-exporter"]
            $0.policy = .off
            $0.choice = (.scramSHA1, .unsupported)
        },
        Row("off, and no -PLUS offered") {
            $0.offer = ["SCRAM-SHA-1"]
            $0.policy = .off
            $0.choice = (.scramSHA1, .unsupported)
        },
        Row("required, with a list") {
            $0.listed = ["tls-server-end-point"]
            $0.policy = .required
            $0.choice = (.scramSHA1Plus, endPoint)
        },
        Row("required, without a list: the best of ours") {
            $0.policy = .required
            $0.choice = (.scramSHA1Plus, exporter)
        },
        Row("required, without a list, with the end point alone") {
            $0.policy = .required
            $0.ours = [.serverEndPoint]
            $0.choice = (.scramSHA1Plus, endPoint)
        },
        Row("required, with a list of others") {
            $0.listed = ["tls-unique"]
            $0.policy = .required
            $0.failure = .cannotBind(
                .noCommonType(listed: ["tls-unique"], ours: ChannelBindingType.allCases),
                offered: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS", "PLAIN"])
        },
        Row("required, and the server has none") {
            $0.offer = ["SCRAM-SHA-1", "PLAIN"]
            $0.policy = .required
            $0.plain = true
            $0.failure = .cannotBind(.notOffered, offered: ["SCRAM-SHA-1", "PLAIN"])
        },
        Row("required, and we have none") {
            $0.listed = ["tls-exporter"]
            $0.ours = []
            $0.policy = .required
            $0.failure = .cannotBind(.nothingToBindTo, offered: ["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS", "PLAIN"])
        },
        Row("required: a certificate proves nothing of the server, which a bound password does") {
            $0.offer = ["EXTERNAL", "SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"]
            $0.listed = ["tls-exporter"]
            $0.policy = .required
            $0.certificate = true
            $0.choice = (.scramSHA1Plus, .bound(.exporter, data: [7]))
        },
        Row("required, and only the certificate is wanted although there is a password") {
            $0.offer = ["EXTERNAL"]
            $0.listed = ["tls-exporter"]
            $0.policy = .required
            $0.certificate = true
            $0.failure = .cannotBind(.notOffered, offered: ["EXTERNAL"])
        },
    ]

    static let mechanismTable: [Row] = [
        Row("whatever the order, the strongest") {
            $0.offer = ["PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-512", "SCRAM-SHA-256"]
            $0.choice = (.scramSHA512, .notOffered)
        },
        Row("SCRAM before PLAIN") {
            $0.offer = ["PLAIN", "SCRAM-SHA-1"]
            $0.plain = true
            $0.choice = (.scramSHA1, .notOffered)
        },
        Row("PLAIN where it is allowed and nothing else can be used (C011)") {
            $0.offer = ["X-OAUTH2", "PLAIN"]
            $0.plain = true
            $0.choice = (.plain, .unsupported)
        },
        Row("PLAIN where it is not allowed") {
            $0.offer = ["X-OAUTH2", "PLAIN"]
            $0.failure = .noMechanism(
                offered: ["X-OAUTH2", "PLAIN"], supported: ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1"])
        },
        Row("PLAIN after SCRAM") {
            $0.offer = ["PLAIN"]
            $0.plain = true
            $0.proven = .scramSHA1
            $0.failure = .plainAfter(.scramSHA1)
        },
        Row("PLAIN after SCRAM, where it is not allowed anyway") {
            $0.offer = ["PLAIN", "DIGEST-MD5"]
            $0.proven = .scramSHA512
            $0.failure = .plainAfter(.scramSHA512)
        },
        Row("another SCRAM after SCRAM") {
            $0.offer = ["SCRAM-SHA-1", "PLAIN"]
            $0.proven = .scramSHA512
            $0.choice = (.scramSHA1, .notOffered)
        },
        Row("EXTERNAL without a certificate, and names in small letters") {
            $0.offer = ["EXTERNAL", "scram-sha-1"]
            $0.plain = true
            $0.failure = .noMechanism(
                offered: ["EXTERNAL", "scram-sha-1"],
                supported: ["SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1", "PLAIN"])
        },
        Row("EXTERNAL with a certificate before everything") {
            $0.offer = ["SCRAM-SHA-512-PLUS", "EXTERNAL"]
            $0.listed = ["tls-exporter"]
            $0.certificate = true
            $0.choice = (.external, .unsupported)
        },
        Row("a certificate that the server does not want") {
            $0.offer = ["SCRAM-SHA-1"]
            $0.certificate = true
            $0.choice = (.scramSHA1, .notOffered)
        },
        Row("nothing at all") {
            $0.offer = []
            $0.plain = true
            $0.certificate = true
            $0.failure = .noMechanism(
                offered: [], supported: ["EXTERNAL", "SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1", "PLAIN"])
        },
    ]

    @Test("the channel-binding table", arguments: bindingTable)
    func binding(row: Row) { Self.check(row) }

    @Test("the mechanism table", arguments: mechanismTable)
    func mechanism(row: Row) { Self.check(row) }

    private static func check(_ row: Row) {
        var means = SASLMeans()
        means.hasCertificate = row.certificate
        means.allowsPlain = row.plain
        means.proven = row.proven
        means.channelBinding = row.policy
        for type in row.ours { means.bindings[type] = [7] }
        do throws(SASLFailure) {
            let choice = try means.choose(from: SASLOffer(mechanisms: row.offer, bindings: row.listed))
            #expect(choice.mechanism == row.choice?.0)
            #expect(choice.binding == row.choice?.1)
        } catch {
            #expect(error == row.failure)
        }
    }

    @Test("whatever is offered, the password is shown only where that is allowed and nothing else was ever known")
    func neverPlain() {
        let names = SASLMechanism.allCases.map(\.rawValue)
        for bits in 0..<(1 << names.count) {
            let offer = names.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element)
            for policy in ChannelBindingPolicy.allCases {
                for (allows, proven) in [(true, SASLMechanism?.none), (true, .scramSHA256), (false, nil)] {
                    var means = SASLMeans()
                    means.allowsPlain = allows
                    means.proven = proven
                    means.channelBinding = policy
                    means.bindings = [.exporter: [7]]
                    let choice = try? means.choose(from: SASLOffer(mechanisms: offer))
                    if choice?.mechanism == .plain { #expect(allows && proven == nil && policy != .required) }
                    if choice?.binding.type != nil { #expect(choice?.mechanism.isBound == true) }
                    if policy == .required, let choice { #expect(choice.mechanism.isBound) }
                }
            }
        }
    }
}
