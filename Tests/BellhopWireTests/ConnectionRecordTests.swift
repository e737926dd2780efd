import BellhopXMPP
import Testing

@testable import Bellhop
@testable import BellhopClient

@Suite("What is known of a connection")
struct ConnectionRecordTests {
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    @Test("how it stands, since when, and what went wrong last, after each event")
    func story() throws {
        let login = AccountEvent.Login(
            bound: try JID("bot@example.org/x"), address: "192.0.2.1", port: 5222, tls: nil, mechanism: "PLAIN")
        typealias Trouble = ConnectionRecord.Trouble
        let refused = Trouble(reason: "no route", at: at(2))
        let lost = Trouble(reason: "lost", at: at(5))
        let steps: [(AccountEvent, ConnectionRecord.Standing, since: Int64, Trouble?)] = [
            (.connecting(to: "x"), .connecting, 0, nil),
            (.disconnected(reason: "no route", retry: .seconds(8)), .waiting(until: at(10)), 0, refused),
            (.connecting(to: "x"), .connecting, 0, refused),
            (.online(login), .online(login), 4, refused),
            (.disconnected(reason: "lost", retry: .seconds(1)), .waiting(until: at(6)), 5, lost),
            (.connecting(to: "x"), .connecting, 5, lost),
            (.loginFailed("wrong password"), .connecting, 5, Trouble(reason: "wrong password", at: at(7))),
            (
                .disconnected(reason: "wrong password", retry: nil), .connecting, 5,
                Trouble(reason: "wrong password", at: at(8))
            ),
        ]
        var record = ConnectionRecord(at: at(0))
        for (index, step) in steps.enumerated() {
            record.occurred(step.0, at: at(Int64(index) + 1))
            #expect(record.standing == step.1, "\(index)")
            #expect(record.since == at(step.since), "\(index)")
            #expect(record.trouble == step.3, "\(index)")
        }
    }
}
