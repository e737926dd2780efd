import Testing

@testable import Bellhop

@Suite("The socket to systemd")
struct NotifySocketTests {
    @Test("a datagram arrives as it is, at a path of any length that a socket can have")
    func path() throws {
        try TemporaryFolder.with { folder in
            for length in [folder.utf8.count + 2, 100, 107] where length > folder.utf8.count + 1 {
                let path = folder + "/" + String(repeating: "s", count: length - folder.utf8.count - 1)
                let listener = try DatagramSocket(path)
                let socket = try #require(NotifySocket(path))
                #expect(socket.send("READY=1\nSTATUS=Online as bot@example.org"))
                #expect(listener.next() == "READY=1\nSTATUS=Online as bot@example.org")
                #expect(listener.next() == nil)
            }
        }
    }

    @Test("an abstract name is one of exactly its length")
    func abstract() throws {
        let name = "@bellhop-test-\(UInt64.random(in: .min ... .max))"
        let listener = try DatagramSocket(name)
        #expect(try #require(NotifySocket(name)).send("WATCHDOG=1"))
        #expect(listener.next() == "WATCHDOG=1")
        #expect(try #require(NotifySocket(name + "x")).send("WATCHDOG=1") == false)
    }

    @Test("a manager that has gone, or does not read, is not waited for")
    func gone() throws {
        try TemporaryFolder.with { folder in
            let path = folder + "/s"
            #expect(try #require(NotifySocket(path)).send("READY=1") == false)
            let listener = try DatagramSocket(path)
            let socket = try #require(NotifySocket(path))
            var sent = 0
            while socket.send("WATCHDOG=1") && sent < 100_000 { sent += 1 }
            #expect(sent > 0 && sent < 100_000)
            #expect(listener.next() == "WATCHDOG=1")
        }
    }
}
