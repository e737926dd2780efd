import BellhopCrypto
import BellhopEngine
import BellhopXMPP
import Testing

@Suite("SCRAM against servers that cheat")
struct SCRAMHostileTests {
    static let own = "fyko+d2lbbFgONRv9qkxdawL"

    @Test(
        "a first message that breaks a rule fails, and no proof is made",
        arguments: [
            ("", SCRAMFault.malformed),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92", .malformed),
            ("s=QSXCR+Q6sek8bf92,r=\(own)x,i=4096", .malformed),
            ("r=\(own)x,s=,i=4096", .malformed),
            ("r=\(own)x,s=QSX,i=4096", .malformed),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=", .malformed),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=+4096", .malformed),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=04096", .malformed),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=-1", .malformed),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=4096.5", .malformed),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=4096,i=1", .malformed),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=4096,", .malformed),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=4096,9=x", .malformed),
            ("r=\(own),s=QSXCR+Q6sek8bf92,i=4096", .nonce),
            ("r=somebodyelse,s=QSXCR+Q6sek8bf92,i=4096", .nonce),
            ("r=x\(own),s=QSXCR+Q6sek8bf92,i=4096", .nonce),
            ("r=\(own)\u{7F},s=QSXCR+Q6sek8bf92,i=4096", .nonce),
            ("r=\(own) ,s=QSXCR+Q6sek8bf92,i=4096", .nonce),
            ("r=\(own)é,s=QSXCR+Q6sek8bf92,i=4096", .nonce),
            ("r=\(own)\u{301},s=QSXCR+Q6sek8bf92,i=4096", .nonce),
            ("m=x,r=\(own)x,s=QSXCR+Q6sek8bf92,i=4096", .mandatoryExtension),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=4096,m=x", .mandatoryExtension),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=1", .tooFewIterations(1, least: 4096)),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=4095", .tooFewIterations(4095, least: 4096)),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=1000001", .tooManyIterations(1_000_001, most: 1_000_000)),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=1000000000", .tooManyIterations(1_000_000_000, most: 1_000_000)),
            ("r=\(own)x,s=QSXCR+Q6sek8bf92,i=99999999999999999999", .tooManyIterations(nil, most: 1_000_000)),
            ("e=unknown-user", .serverError("unknown-user")),
        ])
    func greeting(message: String, fault: SCRAMFault) throws {
        var exchange = try SCRAMVector.sha1.exchange()
        #expect(exchange.receivedChallenge(Array(message.utf8)) == .fail(fault))
        #expect(exchange.receivedChallenge(Array(SCRAMVector.sha1.serverFirst.utf8)) == .fail(.unexpected))
    }

    @Test("a first message that is not UTF-8 fails")
    func notUTF8() throws {
        var exchange = try SCRAMVector.sha1.exchange()
        #expect(
            exchange.receivedChallenge(Array(SCRAMVector.sha1.serverFirst.utf8) + [0x2C, 0x78, 0x3D, 0xFF])
                == .fail(.malformed))
    }

    @Test("an unknown extension is ignored by reading, and counts in the proof")
    func extensions() throws {
        var plain = try SCRAMVector.sha1.exchange()
        var extended = try SCRAMVector.sha1.exchange()
        let message = SCRAMVector.sha1.serverFirst
        guard case .respond(let first) = plain.receivedChallenge(Array(message.utf8)),
            case .respond(let second) = extended.receivedChallenge(Array((message + ",x=abc,z=").utf8))
        else {
            Issue.record("an extension that need not be known was refused")
            return
        }
        #expect(first != second)
        #expect(first.prefix(54) == second.prefix(54))
    }

    @Test("the bounds can be moved, and hold at both ends")
    func bounds() throws {
        let message = Array(SCRAMVector.sha1.serverFirst.utf8)
        for (least, most, taken) in [(4096, 4096, true), (4097, 5000, false), (1, 4095, false)] {
            var exchange = try SCRAMVector.sha1.exchange(bounds: SCRAMBounds(least: least, most: most))
            #expect(
                (exchange.receivedChallenge(message) == .respond(Array(SCRAMVector.sha1.clientFinal.utf8))) == taken)
        }
    }

    @Test(
        "a success is a failure without the server's proof",
        arguments: [
            (nil, SCRAMFault.noProof),
            ("", .noProof),
            ("v=rmF9pqV8S7suAoZWja4dJRkFsKR=", .malformed),
            ("v=rmF9pqV8S7suAoZWja4dJRkFsKA=", .wrongProof),
            ("v=", .wrongProof),
            ("v=rmF9pqV8S7suAoZWja4dJRkFsKQ", .malformed),
            ("v", .malformed),
            ("x=rmF9pqV8S7suAoZWja4dJRkFsKQ=", .noProof),
            ("e=other-error", .serverError("other-error")),
            (SCRAMVector.sha1.serverFirst, .noProof),
            (SCRAMVector.sha1.clientFinal, .noProof),
        ] as [(String?, SCRAMFault)])
    func proof(message: String?, fault: SCRAMFault) throws {
        var success = try SCRAMVector.sha1.exchange()
        _ = success.receivedChallenge(Array(SCRAMVector.sha1.serverFirst.utf8))
        var challenge = success
        #expect(success.receivedSuccess(message.map { Array($0.utf8) }) == .fail(fault))
        #expect(success.receivedSuccess(Array(SCRAMVector.sha1.serverFinal.utf8)) == .fail(.unexpected))
        guard let message, !message.isEmpty else { return }
        #expect(challenge.receivedChallenge(Array(message.utf8)) == .fail(fault))
    }

    @Test("a success before the challenge is a failure, with or without data")
    func early() throws {
        for message in [nil, [], Array(SCRAMVector.sha1.serverFinal.utf8)] as [[UInt8]?] {
            var exchange = try SCRAMVector.sha1.exchange()
            #expect(exchange.receivedSuccess(message) == .fail(.noProof))
        }
    }

    @Test("after the proof in a challenge nothing but a success may come, and wrong data in it still counts")
    func afterProof() throws {
        var proved = try SCRAMVector.sha1.exchange()
        _ = proved.receivedChallenge(Array(SCRAMVector.sha1.serverFirst.utf8))
        _ = proved.receivedChallenge(Array(SCRAMVector.sha1.serverFinal.utf8))
        var again = proved
        #expect(again.receivedChallenge(Array(SCRAMVector.sha1.serverFinal.utf8)) == .fail(.unexpected))
        #expect(proved.receivedSuccess(Array("v=rmF9pqV8S7suAoZWja4dJRkFsKA=".utf8)) == .fail(.wrongProof))
    }

    @Test("no mutation of the server's messages logs in, and none traps", arguments: [UInt64](1...8))
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // Few iterations are allowed here, so that a thousand logins cost little.
        let bounds = SCRAMBounds(least: 1, most: 64)
        let greeting = SCRAMVector.sha1.serverFirst.replacing("i=4096", with: "i=2")
        var answers = 0
        for _ in 0..<500 {
            var exchange = try SCRAMVector.sha1.exchange(bounds: bounds)
            let first = random.mutated(Array(greeting.utf8))
            guard case .respond(let answer) = exchange.receivedChallenge(first) else { continue }
            answers += 1
            #expect(answer.starts(with: Array("c=biws,r=\(Self.own)".utf8)))
            let last = random.mutated(Array(SCRAMVector.sha1.serverFinal.utf8))
            var step = exchange.receivedChallenge(last)
            if case .respond = step { step = exchange.receivedSuccess(nil) }
            if case .succeed = step { Issue.record("logged in with \(first) and \(last), seed \(seed)") }
        }
        // Some mutations must have come as far as the proof, else nothing was tried.
        #expect(answers > 10)
    }
}
