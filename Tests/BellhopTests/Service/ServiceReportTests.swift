import Testing

@testable import Bellhop

@Suite("What systemd is told")
struct ServiceReportTests {
    private func report(_ watchdog: Duration? = .seconds(300)) -> ServiceReport { ServiceReport(watchdog: watchdog) }

    @Test("ready is said at the first moment online, with the status and the first sign of life")
    func ready() {
        var report = report()
        #expect(
            report.connecting(to: "example.org") == [
                "STATUS=Connecting to example.org", "EXTEND_TIMEOUT_USEC=1200000000",
            ])
        #expect(report.deadline == nil)
        #expect(
            report.wentOnline(as: "bot@example.org", now: .seconds(10)) == [
                "READY=1", "STATUS=Online as bot@example.org", "WATCHDOG_USEC=300000000", "WATCHDOG=1",
            ])
        #expect(report.deadline == .seconds(160))
    }

    @Test(
        "the watchdog is fed at half of its time while the server answers, and looked after soon while it owes an answer"
    )
    func fed() {
        var report = report()
        _ = report.wentOnline(as: "bot@example.org", now: .zero)
        #expect(report.timePassed(.seconds(149), isServerAnswering: true) == [])
        #expect(report.timePassed(.seconds(150), isServerAnswering: true) == ["WATCHDOG=1"])
        #expect(report.deadline == .seconds(300))
        #expect(report.timePassed(.seconds(300), isServerAnswering: false) == [])
        #expect(report.deadline == .seconds(337) + .milliseconds(500))
        #expect(report.timePassed(.seconds(338), isServerAnswering: true) == ["WATCHDOG=1"])
        #expect(report.deadline == .seconds(488))
    }

    @Test("offline the watchdog is not fed; systemd is asked for patience, again at each attempt")
    func offline() {
        var report = report()
        _ = report.wentOnline(as: "bot@example.org", now: .zero)
        #expect(
            report.wentOffline("the server\nclosed the connection", retry: .milliseconds(2_500)) == [
                "STATUS=Not connected: the server\\nclosed the connection; next attempt in 3 s",
                "WATCHDOG_USEC=1200000000",
            ])
        #expect(report.deadline == nil)
        #expect(report.timePassed(.seconds(10_000), isServerAnswering: false) == [])
        #expect(
            report.connecting(to: "example.org") == [
                "STATUS=Connecting to example.org", "WATCHDOG_USEC=1200000000",
            ])
        #expect(
            report.wentOnline(as: "bot@example.org", now: .seconds(20_000)) == [
                "READY=1", "STATUS=Online as bot@example.org", "WATCHDOG_USEC=300000000", "WATCHDOG=1",
            ])
    }

    @Test("a server that is away at the start extends the start, and is named")
    func awayAtStart() {
        var report = report()
        #expect(
            report.wentOffline("cannot reach 192.0.2.1: Connection refused", retry: .zero) == [
                "STATUS=Not connected: cannot reach 192.0.2.1: Connection refused; next attempt in 1 s",
                "EXTEND_TIMEOUT_USEC=1200000000",
            ])
    }

    @Test("the longest wait between attempts and the longest login fit into that patience")
    func patience() {
        #expect(ServiceReport.absence >= .seconds(300 + 600))
    }

    @Test("without a watchdog nothing is fed")
    func noWatchdog() {
        var report = report(nil)
        #expect(
            report.wentOnline(as: "bot@example.org", now: .zero) == ["READY=1", "STATUS=Online as bot@example.org"])
        #expect(report.deadline == nil)
        #expect(report.wentOffline("x", retry: nil) == ["STATUS=Not connected: x; no further attempt"])
    }

    @Test("a reload is framed by its beginning and its end, and the status comes back")
    func reload() {
        var report = report()
        #expect(report.reloading(now: .seconds(5)) == [], "nothing to reload before the start is over")
        #expect(report.reloaded() == [])
        _ = report.wentOnline(as: "bot@example.org", now: .zero)
        #expect(
            report.reloading(now: .seconds(5) + .microseconds(7)) == [
                "RELOADING=1", "MONOTONIC_USEC=5000007", "STATUS=Reading the configuration again",
            ])
        #expect(report.reloaded() == ["READY=1", "STATUS=Online as bot@example.org"])
    }

    @Test("stopping is the last word")
    func stopping() {
        var report = report()
        _ = report.wentOnline(as: "bot@example.org", now: .zero)
        #expect(report.stopping() == ["STOPPING=1", "STATUS=Stopping; running commands may finish"])
        #expect(report.wentOffline("x", retry: nil) == [])
        #expect(report.reloading(now: .zero) == [])
        #expect(report.reloaded() == [])
    }

    private static let variables: [(values: [String: String], watchdog: String?)] = [
        (["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "300000000", "WATCHDOG_PID": "42"], "WATCHDOG_USEC=300000000"),
        (["NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "1000000"], "WATCHDOG_USEC=1000000"),
        (["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "300000000", "WATCHDOG_PID": "43"], nil),
        (["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "300000000", "WATCHDOG_PID": "no"], nil),
        (["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "0"], nil),
        (["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "-5"], nil),
        (["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "9223372036854775807"], nil),
        (["NOTIFY_SOCKET": "/run/x"], nil),
    ]

    @Test("the watchdog is one for the process that it is meant for, with a time that is one", arguments: variables)
    func environment(values: [String: String], watchdog: String?) throws {
        var surroundings = FakeSurroundings()
        surroundings.variables = values
        var link = try #require(ServiceLink(surroundings, process: 42))
        var said: [String] = []
        link.tell { report in
            said = report.wentOnline(as: "b@x", now: .zero)
            return []
        }
        #expect(said.first { $0.hasPrefix("WATCHDOG_USEC") } == watchdog)
    }

    @Test(
        "without a socket that can be one there is nobody to tell",
        arguments: [nil, "", "x", "@", "/", "vsock:2:1", "/" + String(repeating: "x", count: 107)])
    func nobody(socket: String?) {
        var surroundings = FakeSurroundings()
        surroundings.variables["NOTIFY_SOCKET"] = socket
        #expect(ServiceLink(surroundings, process: 42) == nil)
    }
}
