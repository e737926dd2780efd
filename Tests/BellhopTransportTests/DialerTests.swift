import BellhopTransport
import Glibc
import Testing

/// A listening socket on a free loopback port.
private final class Listener {
    let descriptor: Int32
    let port: UInt16

    init() throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptor = listening
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard unsafe bind(listening, generic, length) == 0, listen(listening, 8) == 0 else { return false }
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
        let listener = try Listener()
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
        // Nobody holds the listener, so it is closed, and only once: a second close could hit another test's descriptor.
        let port = try Listener().port
        #expect(
            throws: TransportError.unreachable([
                .init(address: "127.0.0.1", port: port, reason: "Connection refused", isRefusal: true)
            ])
        ) {
            try Dialer().connect(to: Endpoint(host: "127.0.0.1", port: port), until: soon)
        }
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
