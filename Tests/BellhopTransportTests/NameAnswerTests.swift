import Testing

@testable import BellhopTransport

@Suite("Messages of name servers")
struct NameAnswerTests {
    private static let question = NameQuestion(name: name("example.test"), kind: .service)
    /// A whole answer: one SRV record whose target is compressed, and an alias.
    private static let answer: [UInt8] =
        [0x12, 0x34, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0] + name("eXample.test").wire + [0, 33, 0, 1]
        + [0xC0, 0x0C, 0, 5, 0, 1, 0, 0, 0, 60, 0, 4, 1, 97, 0xC0, 0x0C]
        + [1, 97, 0xC0, 0x0C, 0, 33, 0, 1, 0, 0, 0, 60, 0, 10, 0, 7, 0, 8, 0, 9, 1, 104, 0xC0, 0x14]

    private static func name(_ text: String) -> DomainName { DomainName(text) ?? DomainName(labels: []) }

    @Test("a question is a header, a name, a kind and a class")
    func message() {
        #expect(
            Self.question.message(id: 0xABCD) == [0xAB, 0xCD, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 7]
                + Array("example".utf8) + [4] + Array("test".utf8) + [0, 0, 33, 0, 1])
    }

    @Test("an answer is read with its compression, in any case of letters")
    func read() {
        let record = NameAnswer.Record.service(priority: 7, weight: 8, port: 9, target: Self.name("h.test"))
        #expect(NameAnswer(Self.answer, to: Self.question, id: 0x1234) == .records([record]))
        #expect(NameAnswer(Self.answer, to: Self.question, id: 0x1235) == .foreign)
        #expect(NameAnswer(Self.answer, to: Self.question, id: nil) == .records([record]))
        let other = NameQuestion(name: Self.name("example.test"), kind: .address)
        #expect(NameAnswer(Self.answer, to: other, id: nil) == .foreign)
    }

    @Test("an answer that is cut anywhere is no answer, or one that cannot be read")
    func cut() {
        for length in 0..<Self.answer.count {
            let answer = NameAnswer(Array(Self.answer.prefix(length)), to: Self.question, id: 0x1234)
            #expect(answer == .foreign || answer == .failed(.malformed), "cut after \(length)")
        }
    }

    @Test("every change of one byte, and many random ones, are read without a trap")
    func garbled() {
        for place in Self.answer.indices {
            for value in UInt8.min ... .max {
                var bytes = Self.answer
                bytes[place] = value
                _ = NameAnswer(bytes, to: Self.question, id: nil)
            }
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var bytes = Self.answer
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                bytes[Int.random(in: 2..<bytes.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            _ = NameAnswer(bytes, to: Self.question, id: nil)
        }
    }

    @Test("the records of an answer are bounded")
    func flood() {
        let record: [UInt8] = [0xC0, 0x0C, 0, 33, 0, 1, 0, 0, 0, 60, 0, 7, 0, 1, 0, 1, 0, 1, 0]
        let start: [UInt8] =
            [0, 0, 0x81, 0x80, 0, 1, 0x0B, 0xB8, 0, 0, 0, 0] + Self.name("example.test").wire + [0, 33, 0, 1]
        let bytes = start + (0..<3000).flatMap { _ in record }
        guard case .records(let records) = NameAnswer(bytes, to: Self.question, id: nil) else {
            Issue.record("not read")
            return
        }
        #expect(records.count == 64)
    }

    @Test(
        "a name is read with a dot at its end or without, and refused where no server can be asked",
        arguments: [
            ("example.test.", "example.test"), ("EXAMPLE.test", "example.test"), ("_a._b.c", "_a._b.c"), (".", nil),
            ("", nil), ("a..b", nil), (".a", nil), ("\u{FC}.test", nil),
        ] as [(String, String?)])
    func names(text: String, expected: String?) { #expect(DomainName(text)?.description == expected) }
}
