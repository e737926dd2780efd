import Testing

@testable import Bellhop

@Suite("How doctor shows what it found")
struct DoctorTableTests {
    private static let good = Finding(.disk, .ok, "There is room.")
    private static let bad = Finding(.certificate, .degraded, "It ends \"soon\".", advice: "renew it")

    @Test("a line of the table has the verdict, the check and the sentence, and advice below it")
    func text() {
        #expect(
            DoctorTable.text(Self.good) + DoctorTable.text(Self.bad) == """
                ok        disk           There is room.
                degraded  certificate    It ends "soon".
                                         -> renew it

                """)
    }

    @Test("a line of JSON is one object with four members")
    func json() {
        #expect(
            DoctorTable.json(Self.good) + DoctorTable.json(Self.bad) == """
                {"check":"disk","verdict":"ok","what":"There is room.","advice":null}
                {"check":"certificate","verdict":"degraded","what":"It ends \\"soon\\".","advice":"renew it"}

                """)
    }

    @Test("in the chat what is wrong comes first, behind what it all means")
    func chat() {
        let failed = Finding(.login, .failed, "No.")
        #expect(
            DoctorTable.chat([Self.good, Self.bad, failed]) == """
                The bot does not work like this: login failed. Besides: certificate.
                failed, login: No.
                degraded, certificate: It ends "soon". -> renew it
                ok, disk: There is room.
                """)
    }

    @Test("what a stranger's server says cannot break a line")
    func lines() {
        let finding = DoctorPhrases.finding(
            .mechanisms(
                DoctorPhrasesTests.place, offered: ["A\nok  disk  fine\u{1B}[2J"], bindings: nil, login: "SCRAM-SHA-1"))
        #expect(!finding.what.contains("\n") && !finding.what.contains("\u{1B}"))
    }
}
