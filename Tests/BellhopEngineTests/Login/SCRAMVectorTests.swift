import BellhopCrypto
import BellhopEngine
import BellhopXMPP
import Testing

/// A published exchange, message by message.
struct SCRAMVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let hash: Hash
    var user = "user"
    var password = "pencil"
    var binding = ChannelBinding.unsupported
    let nonce: String
    let clientFirst: String
    let serverFirst: String
    let clientFinal: String
    let serverFinal: String

    /// An exchange that has sent its first message.
    func exchange(
        offer: SASLOffer? = nil, remembered: SCRAMKeys? = nil, bounds: SCRAMBounds = SCRAMBounds()
    ) throws -> SCRAMExchange {
        SCRAMExchange(
            hash: hash, credentials: try Credentials(user: user, password: password), nonce: nonce,
            binding: binding, offer: offer, bounds: bounds, remembered: remembered)
    }
}

extension SCRAMVector {
    private static let rfc7677Nonce = "rOprNGfwEbeRWgbNEkqO"
    private static let rfc7677Both = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
    private static let rfc7677First = "r=\(rfc7677Both),s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"

    static let sha1 = SCRAMVector(
        testDescription: "RFC 5802", hash: .sha1, nonce: "fyko+d2lbbFgONRv9qkxdawL",
        clientFirst: "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL",
        serverFirst: "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096",
        clientFinal: "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
        serverFinal: "v=rmF9pqV8S7suAoZWja4dJRkFsKQ=")

    static let sha256 = SCRAMVector(
        testDescription: "RFC 7677", hash: .sha256, nonce: rfc7677Nonce,
        clientFirst: "n,,n=user,r=\(rfc7677Nonce)", serverFirst: rfc7677First,
        clientFinal: "c=biws,r=\(rfc7677Both),p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
        serverFinal: "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")

    static let sha512 = SCRAMVector(
        testDescription: "SHA-512 with the nonces of RFC 7677", hash: .sha512, nonce: rfc7677Nonce,
        clientFirst: "n,,n=user,r=\(rfc7677Nonce)", serverFirst: rfc7677First,
        clientFinal: "c=biws,r=\(rfc7677Both),p=gMGXRcevScNtxZ6/8lQYpGtnsNAc3mGcmNomv+xnoOMw"
            + "+3R2xNJdMNnzMlTN8PPC6wdp6dybEmDYXYTxwnYPJQ==",
        serverFinal: "v=ZQnYEgWQMFmmsM8aQMF0nDDCy/AgCzkwk8CmMZYcMg0vSVlKDanekLtifDSeVGT4+5ZxXnJq199RVG2rR7N7Zw==")

    static let escapedName = SCRAMVector(
        testDescription: "a name with a comma and an equals sign", hash: .sha256, user: "a,b=c", nonce: rfc7677Nonce,
        clientFirst: "n,,n=a=2Cb=3Dc,r=\(rfc7677Nonce)", serverFirst: rfc7677First,
        clientFinal: "c=biws,r=\(rfc7677Both),p=SZPNPeS9o66WjPx3GO+3ry3VEj0oTmhDA8jaGvHNN0g=",
        serverFinal: "v=qQFrXBHbHp99TSlxiDo0Wi+5Uc2kduey2yh8Wv7jYyw=")

    /// The messages of XEP-0388's example, whose proofs do not verify for this password; these do.
    static let bound = SCRAMVector(
        testDescription: "SHA-1 bound to the channel", hash: .sha1,
        binding: .bound(
            .exporter, data: Base64.decode("xyhC850EN493g6zCWYBZXd2DVrVaHW1g9MHBWJ3XRVQ=") ?? []),
        nonce: "12C4CD5C-E38E-4A98-8F6D-15C38F51CCC6",
        clientFirst: "p=tls-exporter,,n=user,r=12C4CD5C-E38E-4A98-8F6D-15C38F51CCC6",
        serverFirst: "r=12C4CD5C-E38E-4A98-8F6D-15C38F51CCC6a09117a6-ac50-4f2f-93f1-93799c2bddf6,"
            + "s=QSXCR+Q6sek8bf92,i=4096",
        clientFinal: "c=cD10bHMtZXhwb3J0ZXIsLMcoQvOdBDePd4OswlmAWV3dg1a1Wh1tYPTBwVid10VU,"
            + "r=12C4CD5C-E38E-4A98-8F6D-15C38F51CCC6a09117a6-ac50-4f2f-93f1-93799c2bddf6,"
            + "p=+8UyrQAeVIqsH2YovGeGTRx6zBM=",
        serverFinal: "v=GRqYg0SPMGrqPRk5HfMz9nGHq94=")

    /// Recorded from a running Prosody 0.12.
    static let prosody = SCRAMVector(
        testDescription: "Prosody", hash: .sha256, user: "alice", password: "pw", nonce: "wX8MzNcoDvrus5b4HNT58ml2",
        clientFirst: "n,,n=alice,r=wX8MzNcoDvrus5b4HNT58ml2",
        serverFirst: "r=wX8MzNcoDvrus5b4HNT58ml21793bc61-c9ec-4377-aeb2-b7d4023b5d6d,"
            + "s=MmI5NmRhZjMtZmM0Mi00M2Q3LTkxMjgtMDg5MDE0MTNiNDRi,i=10000",
        clientFinal: "c=biws,r=wX8MzNcoDvrus5b4HNT58ml21793bc61-c9ec-4377-aeb2-b7d4023b5d6d,"
            + "p=8Btm/+F1Rp6nerRXiUq0smw1LHkMQJWRDHwLOWJw+3g=",
        serverFinal: "v=fs8mRkTPQb0gSzmmFnKZSI4jNgzpErcWKuoYGa5P7fc=")

    /// Recorded from a running ejabberd 23.01.
    static let ejabberd = SCRAMVector(
        testDescription: "ejabberd", hash: .sha1, user: "alice", password: "pw", nonce: "b6AlrPrbbjdTDd16/UL5BydN",
        clientFirst: "n,,n=alice,r=b6AlrPrbbjdTDd16/UL5BydN",
        serverFirst: "r=b6AlrPrbbjdTDd16/UL5BydNS+SMfk3WnFsbWl48u6A0vw==,s=LGsvkoDTP4C+Ib4FUGtLEQ==,i=4096",
        clientFinal: "c=biws,r=b6AlrPrbbjdTDd16/UL5BydNS+SMfk3WnFsbWl48u6A0vw==,p=Ni++NR5PGqk++w76bSzL2swqSWU=",
        serverFinal: "v=TbuN67UjxFi0gKDDQ1XSfmtN+yk=")

    /// Recorded from a running Openfire 4.2.
    static let openfire = SCRAMVector(
        testDescription: "Openfire", hash: .sha1, user: "alice", password: "pw", nonce: "fae+EcFH7X4oSh6i/Z8Zznur",
        clientFirst: "n,,n=alice,r=fae+EcFH7X4oSh6i/Z8Zznur",
        serverFirst: "r=fae+EcFH7X4oSh6i/Z8Zznur47ae42b0-c6a5-40cf-9e56-52012d31c5a8,"
            + "s=wi5QS+J4KHJTWbLP2auJefwcILPd4Fox,i=4096",
        clientFinal: "c=biws,r=fae+EcFH7X4oSh6i/Z8Zznur47ae42b0-c6a5-40cf-9e56-52012d31c5a8,"
            + "p=7agLB7c1LdrQZ5x6droRUSM72xY=",
        serverFinal: "v=NnjslbCLwUD4RnddSWTpRV34KQc=")

    static let all = [sha1, sha256, sha512, escapedName, bound, prosody, ejabberd, openfire]
}

@Suite("SCRAM's published exchanges")
struct SCRAMVectorTests {
    @Test("every message is the published one, byte for byte", arguments: SCRAMVector.all)
    func exact(vector: SCRAMVector) throws {
        var exchange = try vector.exchange()
        #expect(exchange.firstMessage == Array(vector.clientFirst.utf8))
        #expect(exchange.receivedChallenge(Array(vector.serverFirst.utf8)) == .respond(Array(vector.clientFinal.utf8)))
        guard case .succeed = exchange.receivedSuccess(Array(vector.serverFinal.utf8)) else {
            Issue.record("the server's proof was not taken")
            return
        }
    }

    @Test("the server's proof may come in a last challenge, answered by nothing", arguments: SCRAMVector.all)
    func inChallenge(vector: SCRAMVector) throws {
        var exchange = try vector.exchange()
        _ = exchange.receivedChallenge(Array(vector.serverFirst.utf8))
        #expect(exchange.receivedChallenge(Array(vector.serverFinal.utf8)) == .respond([]))
        guard case .succeed = exchange.receivedSuccess(nil) else {
            Issue.record("the success after the proof was not taken")
            return
        }
    }

    @Test("keys of an earlier login give the same proof, and other salt or count are derived anew")
    func remembered() throws {
        let vector = SCRAMVector.sha256
        var first = try vector.exchange()
        _ = first.receivedChallenge(Array(vector.serverFirst.utf8))
        guard case .succeed(let keys) = first.receivedSuccess(Array(vector.serverFinal.utf8)) else {
            Issue.record("the login failed")
            return
        }
        var again = try vector.exchange(remembered: keys)
        #expect(again.receivedChallenge(Array(vector.serverFirst.utf8)) == .respond(Array(vector.clientFinal.utf8)))

        for other in [
            vector.serverFirst.replacing("i=4096", with: "i=4097"), vector.serverFirst.replacing("W22", with: "W23"),
        ] {
            var with = try vector.exchange(remembered: keys)
            var without = try vector.exchange()
            let answer = with.receivedChallenge(Array(other.utf8))
            #expect(answer == without.receivedChallenge(Array(other.utf8)))
            #expect(answer != .respond(Array(vector.clientFinal.utf8)))
        }
    }

    @Test("neither credentials nor keys print what they hold")
    func silent() throws {
        let credentials = try Credentials(user: "user", password: "pencil")
        var dumped = ""
        dump(credentials, to: &dumped)
        let bytes = "112, 101, 110"
        for text in [dumped, "\(credentials)", String(reflecting: credentials)] {
            #expect(!text.contains("pencil") && !text.contains(bytes) && !text.contains("password:"))
        }
        var exchange = try SCRAMVector.sha1.exchange()
        _ = exchange.receivedChallenge(Array(SCRAMVector.sha1.serverFirst.utf8))
        guard case .succeed(let keys) = exchange.receivedSuccess(Array(SCRAMVector.sha1.serverFinal.utf8)) else {
            return
        }
        dumped = ""
        dump(keys, to: &dumped)
        // The first bytes of RFC 5802's ClientKey, as an array prints them.
        for text in [dumped, "\(keys)", String(reflecting: keys)] { #expect(!text.contains("226, 52")) }
    }
}
