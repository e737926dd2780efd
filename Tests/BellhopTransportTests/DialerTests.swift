import Glibc
import Testing

@testable import BellhopTransport

/// A listening socket on a free port of 127.0.0.1, or on this port of 127.0.0.N, with room for so many who wait.
private final class BareListener {
    let descriptor: Int32
    let port: UInt16

    init(on host: UInt32 = 1, port wanted: UInt16 = 0, room: Int32 = 8) throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        descriptor = listening
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = (UInt32(0x7f00_0000) + host).bigEndian
        address.sin_port = wanted.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard unsafe bind(listening, generic, length) == 0, listen(listening, room) == 0 else { return false }
                return unsafe getsockname(listening, generic, &length) == 0
            }
        }
        try #require(bound)
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}

@Suite("Dialer")
struct DialerTests {
    private var soon: Duration { MonotonicClock.now() + .seconds(10) }

    @Test("bytes go both ways over a connection to an address")
    func connects() throws {
        let listener = try BareListener()
        let socket = try Dialer().connect(to: Endpoint(host: "127.0.0.1", port: listener.port), until: soon)
        #expect(socket.address == "127.0.0.1")
        let peer = accept(listener.descriptor, nil, nil)
        defer { close(peer) }
        let hello: [UInt8] = Array("hello".utf8)
        #expect(socket.write(hello.span) == .bytes(5))
        var room = [UInt8](repeating: 0, count: 16)
        #expect(unsafe recv(peer, &room, 16, 0) == 5)
        #expect(unsafe send(peer, &room, 5, 0) == 5)
        let poller = Poller(wakeup: try Wakeup())
        #expect(poller.wait(socket: socket, reading: true, writing: false, timeout: nil).readable)
        var read = [UInt8](repeating: 0, count: 16)
        #expect(socket.read(into: &read) == .bytes(5))
        #expect(socket.read(into: &read) == .wouldBlock)
        shutdown(peer, Int32(SHUT_WR))
        #expect(poller.wait(socket: socket, reading: true, writing: false, timeout: nil).readable)
        #expect(socket.read(into: &read) == .ended)
    }

    @Test("a refused connection names the address, the port and the reason")
    func refused() throws {
        // It keeps the port, so that nobody else listens there.
        let listener = try Listener()
        listener.close()
        let port = listener.port
        #expect(
            throws: TransportError.unreachable([
                .init(address: "127.0.0.1", port: port, reason: "Connection refused", isRefusal: true)
            ])
        ) {
            try Dialer().connect(to: Endpoint(host: "127.0.0.1", port: port), until: soon)
        }
        withExtendedLifetime(listener) {}
    }

    /// Fills a listener that nobody accepts from, so that whoever comes later hears nothing from it.
    private func fill(_ host: UInt32, _ port: UInt16) throws -> [Int32] {
        let address = try #require(NumericAddress(bytes: [127, 0, 0, UInt8(clamping: host)]))
        return (0..<4).map { _ in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = address.connect(descriptor, port: port)
            return descriptor
        }
    }

    @Test(
        "addresses that refuse or never answer do not stop one that does",
        arguments: [
            ["127.0.0.2", "127.0.0.1"], ["127.0.0.3", "127.0.0.2", "127.0.0.1"],
            ["127.0.0.2", "127.0.0.3", "127.0.0.1"],
            ["::1", "127.0.0.2", "127.0.0.1"],
        ])
    func race(texts: [String]) throws {
        let good = try BareListener()
        let silent = try BareListener(on: 2, port: good.port, room: 0)
        let fillers = try fill(2, good.port)
        defer { for filler in fillers { close(filler) } }
        let addresses = try texts.map { try #require(NumericAddress($0)) }
        let socket = try Dialer().connect(to: addresses, port: good.port, until: soon)
        #expect(socket.address == "127.0.0.1")
        withExtendedLifetime(silent) {}
    }

    @Test("addresses that never answer are given up, each with its reason")
    func silence() throws {
        let silent = try BareListener(on: 2, room: 0)
        let fillers = try fill(2, silent.port)
        defer { for filler in fillers { close(filler) } }
        var dialer = Dialer()
        dialer.perAddress = .milliseconds(20)
        let addresses = try ["127.0.0.2", "127.0.0.3"].map { try #require(NumericAddress($0)) }
        let error = #expect(throws: TransportError.self) {
            try dialer.connect(to: addresses, port: silent.port, until: soon)
        }
        #expect(
            error
                == .unreachable([
                    .init(address: "127.0.0.2", port: silent.port, reason: "no answer in time"),
                    .init(
                        address: "127.0.0.3", port: silent.port, reason: "Connection refused", isRefusal: true),
                ]))
    }

    @Test("the families come in turn, each in its order, beginning with that of the first")
    func inTurn() throws {
        let mixed = try ["::1", "::2", "::3", "192.0.2.1"].map { try #require(NumericAddress($0)) }
        #expect(NumericAddress.inTurn(mixed).map(\.description) == ["::1", "192.0.2.1", "::2", "::3"])
        #expect(NumericAddress.inTurn(mixed.reversed()).map(\.description) == ["192.0.2.1", "::3", "::2", "::1"])
        #expect(NumericAddress.inTurn([]) == [])
    }

    @Test("a deadline that is over connects nowhere")
    func late() throws {
        let listener = try Listener()
        #expect(throws: TransportError.unreachable([])) {
            try Dialer().connect(
                to: Endpoint(host: "127.0.0.1", port: listener.port),
                until: MonotonicClock.now() - .seconds(1))
        }
    }
}

@Suite("Inbox and loop executor")
struct InboxTests {
    @Test("what other threads post arrives in order and wakes the poller")
    func posted() throws {
        let wakeup = try Wakeup()
        let inbox = Inbox<Int>(wakeup: wakeup)
        try LoopThread.start("poster") { for number in 0..<1000 { inbox.post(number) } }
        let poller = Poller(wakeup: wakeup)
        var seen: [Int] = []
        while seen.count < 1000 {
            seen += inbox.take()
            if seen.count < 1000 { _ = poller.wait(socket: nil, reading: false, writing: false, timeout: nil) }
        }
        #expect(seen == Array(0..<1000))
    }

    @Test("a task on the loop's executor runs when the loop says so, and on its thread")
    func executor() throws {
        let wakeup = try Wakeup()
        let executor = LoopExecutor(wakeup: wakeup)
        let inbox = Inbox<Bool>(wakeup: wakeup)
        let here = UInt(bitPattern: pthread_self().hashValue)
        Task(executorPreference: executor) {
            await Task.yield()
            inbox.post(UInt(bitPattern: pthread_self().hashValue) == here)
        }
        #expect(executor.runPending() >= 2)
        #expect(inbox.take() == [true])
    }
}
