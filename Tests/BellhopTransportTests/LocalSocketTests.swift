import BellhopTransport
import Glibc
import Testing

@Suite("Unix sockets", .timeLimit(.minutes(1)))
struct LocalSocketTests {
    /// A new folder of mode 0700, removed afterwards with the names given.
    private func inFolder(removing names: [String] = [], _ body: (String) throws -> Void) throws {
        var template = Array("/tmp/bellhop-test-XXXXXX".utf8CString)
        let folder = try #require(unsafe mkdtemp(&template).map { unsafe String(cString: $0) })
        defer {
            for name in names { _ = unsafe unlink(folder + "/" + name) }
            _ = unsafe rmdir(folder)
        }
        try body(folder)
    }

    private var soon: Duration { MonotonicClock.now() + .seconds(30) }

    private func mode(_ path: String) -> mode_t? {
        var facts = stat()
        return unsafe lstat(path, &facts) == 0 ? facts.st_mode & 0o7777 : nil
    }

    @Test("a line goes each way, and the other end is known to be us")
    func talks() throws {
        try inFolder { folder in
            let listener = try LocalListener(path: folder + "/s")
            defer { listener.close() }
            let client = try LocalConnection(to: folder + "/s")
            let server = try #require(listener.accept())
            #expect(client.peer == LocalConnection.ownUser)
            #expect(server.peer == LocalConnection.ownUser)
            try client.write(Array("question\nand more".utf8), until: soon)
            #expect(try server.readLine(limit: 100, until: soon) == Array("question".utf8))
            try server.write(Array("answer\n".utf8), until: soon)
            #expect(try client.readLine(limit: 100, until: soon) == Array("answer".utf8))
        }
    }

    @Test("the socket is open to its owner only, and gone after close, which ends the waiting")
    func file() throws {
        try inFolder { folder in
            let listener = try LocalListener(path: folder + "/s")
            #expect(mode(folder + "/s") == 0o600)
            listener.close()
            #expect(mode(folder + "/s") == nil)
            #expect(listener.accept() == nil)
            #expect(throws: LocalFault.nobody(path: folder + "/s")) { try LocalConnection(to: folder + "/s") }
        }
    }

    @Test("what a dead process left is replaced, and nothing else is")
    func leftover() throws {
        try inFolder(removing: ["file"]) { folder in
            let dead = try LocalListener(path: folder + "/s")
            let listener = try LocalListener(path: folder + "/s")
            let client = try LocalConnection(to: folder + "/s")
            _ = try #require(listener.accept())
            listener.close()
            withExtendedLifetime((dead, client)) {}
            unsafe close(creat(folder + "/file", 0o600))
            #expect(throws: LocalFault.notASocket(path: folder + "/file")) {
                try LocalListener(path: folder + "/file")
            }
            #expect(mode(folder + "/file") == 0o600)
        }
    }

    @Test("a folder in which others could put a socket of theirs is not used")
    func openFolder() throws {
        try inFolder { folder in
            _ = unsafe chmod(folder, 0o777)
            #expect(throws: LocalFault.openFolder(path: folder)) { try LocalListener(path: folder + "/s") }
            _ = unsafe chmod(folder, 0o1777)
            try LocalListener(path: folder + "/s").close()
        }
    }

    @Test("a path that is too long is a fault and no other file")
    func long() {
        let path = "/tmp/" + String(repeating: "x", count: 200)
        #expect(throws: LocalFault.pathTooLong(path: path, limit: 107)) { try LocalListener(path: path) }
        #expect(throws: LocalFault.pathTooLong(path: path, limit: 107)) { try LocalConnection(to: path) }
    }

    @Test("a line that is too long, never ends or never comes is given up")
    func hostile() throws {
        try inFolder { folder in
            let listener = try LocalListener(path: folder + "/s")
            defer { listener.close() }
            let client = try LocalConnection(to: folder + "/s")
            let server = try #require(listener.accept())
            try client.write(Array("half".utf8), until: soon)
            #expect(throws: LocalFault.timedOut) {
                try server.readLine(limit: 100, until: MonotonicClock.now() + .milliseconds(10))
            }
            try client.write(Array(repeating: 120, count: 101), until: soon)
            #expect(throws: LocalFault.tooLarge(limit: 100)) { try server.readLine(limit: 100, until: soon) }
        }
    }

    @Test("an empty line says that the answer is still to come, and what came with it is not lost")
    func signs() throws {
        try inFolder { folder in
            let listener = try LocalListener(path: folder + "/s")
            defer { listener.close() }
            let client = try LocalConnection(to: folder + "/s")
            let server = try #require(listener.accept())
            try server.write(Array("\n\nanswer\n".utf8), until: soon)
            #expect(try client.readAnswer(limit: 100, patience: .seconds(30)) == Array("answer".utf8))
            try server.write(Array("\n\nhal".utf8), until: soon)
            #expect(throws: LocalFault.timedOut) { try client.readAnswer(limit: 100, patience: .milliseconds(10)) }
            try server.write(Array("\n".utf8), until: soon)
            server.hangUp()
            #expect(throws: LocalFault.closed) { try client.readAnswer(limit: 100, patience: .seconds(30)) }
        }
    }

    @Test("an end without a newline ends the line, and an end without anything is one")
    func ends() throws {
        try inFolder { folder in
            let listener = try LocalListener(path: folder + "/s")
            defer { listener.close() }
            var client: LocalConnection? = try LocalConnection(to: folder + "/s")
            let server = try #require(listener.accept())
            try client?.write(Array("last words".utf8), until: soon)
            client = nil
            #expect(try server.readLine(limit: 100, until: soon) == Array("last words".utf8))
            #expect(throws: LocalFault.closed) { try server.readLine(limit: 100, until: soon) }
        }
    }
}
