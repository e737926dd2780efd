import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// Why a process could not be started: what was called, and the error number.
package struct SpawnFault: Error, CustomStringConvertible {
    package var call: String
    package var number: Int32

    package var description: String { "\(call) failed with error number \(number)" }
}

/// How a process ended.
package enum ProcessEnd: Equatable, Sendable {
    case exited(Int32)
    case killed(by: Int32)
}

/// A process that a test started: fed, signalled, read and awaited. Blocking calls stay off the cooperative pool, whose two
/// threads the tests need.
package final class ChildProcess: Sendable {
    package let output = Transcript()
    package let errors = Transcript()

    private enum Life {
        case running(waiting: [CheckedContinuation<ProcessEnd, Never>])
        case ended(ProcessEnd)
    }

    /// The number that the system gave it.
    package var processNumber: Int { Int(identifier) }

    let identifier: pid_t
    private let input: Mutex<Int32?>
    private let life = Mutex(Life.running(waiting: []))
    private let inputQueue = DispatchQueue(label: "bellhop.test.input")

    /// Starts the executable at `path`. The child gets the test's environment, overlaid with `environment`.
    package init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws(SpawnFault) {
        let input = try ChildProcess.streamPair()
        let output = try ChildProcess.pipePair()
        let errors = try ChildProcess.pipePair()
        defer { for descriptor in [input.child, output.child, errors.child] { close(descriptor) } }
        do throws(SpawnFault) {
            identifier = try ChildProcess.spawn(
                path, [path] + arguments, environment: ChildProcess.environment(overlaidWith: environment),
                descriptors: [input.child, output.child, errors.child])
        } catch {
            for descriptor in [input.parent, output.parent, errors.parent] { close(descriptor) }
            throw error
        }
        self.input = Mutex(input.parent)
        PipeEnd.read(output.parent, into: self.output)
        PipeEnd.read(errors.parent, into: self.errors)
        DispatchQueue(label: "bellhop.test.wait").async { self.awaitEnd() }
    }

    /// Runs the body with a child that is killed, if it still runs, when the body is done.
    package static func running<Result>(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = [:],
        _ body: (ChildProcess) async throws -> Result
    ) async throws -> Result {
        let child = try ChildProcess(path, arguments, environment: environment)
        do {
            let result = try await body(child)
            await child.killed()
            return result
        } catch {
            await child.killed()
            throw error
        }
    }

    private func killed() async {
        signal(SIGKILL)
        _ = await end()
    }

    /// Writes to the child's standard input; a child that has gone is no error.
    package func write(_ text: String) async {
        let bytes = Array(text.utf8)
        await withCheckedContinuation { continuation in
            inputQueue.async {
                self.writeNow(bytes)
                continuation.resume()
            }
        }
    }

    /// Ends the child's standard input, as Ctrl-D does.
    package func closeInput() {
        inputQueue.sync { closeInputNow() }
    }

    private func closeInputNow() {
        input.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    /// How long it has computed, by the system's count of ticks; zero when it has ended.
    package var processorTime: Duration {
        guard let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8) else { return .zero }
        // The name, in parentheses, may hold anything; behind it the 12th and 13th field count user and system time.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return .zero }
        return .milliseconds((user + system) * 1_000 / max(1, sysconf(Int32(_SC_CLK_TCK))))
    }

    /// Whether it has ended by now.
    package var hasEnded: Bool {
        life.withLock { life in
            switch life {
            case .running: false
            case .ended: true
            }
        }
    }

    /// Sends a signal, unless the child has ended.
    package func signal(_ number: Int32) {
        life.withLock { life in
            switch life {
            case .running: kill(identifier, number)
            case .ended: break
            }
        }
    }

    /// Returns when the child has ended and all that it wrote is in its transcripts. A cancelled wait (a test's time limit) kills the
    /// child, so that it returns too.
    package func end() async -> ProcessEnd {
        let end = await endOfProcess()
        // Its last words may still be in the pipes; where the wait is cancelled they are nobody's business.
        for transcript in [output, errors] { _ = try? await transcript.line { _ in false } }
        return end
    }

    private func endOfProcess() async -> ProcessEnd {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                life.withLock { life in
                    switch life {
                    case .running(let waiting): life = .running(waiting: waiting + [continuation])
                    case .ended(let end): continuation.resume(returning: end)
                    }
                }
            }
        } onCancel: {
            signal(SIGKILL)
        }
    }

    // The last reference may go on the input's own queue, which must not wait for itself.
    deinit {
        closeInputNow()
    }

    private func writeNow(_ bytes: [UInt8]) {
        guard let descriptor = input.withLock({ $0 }) else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            // A socket rather than a pipe: only there can the signal be left out that a gone reader brings.
            let count = unsafe rest.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }

    private func awaitEnd() {
        // Waits without collecting first: while the number still belongs to the child, a signal cannot hit another process.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        var waiters: [CheckedContinuation<ProcessEnd, Never>] = []
        let end = life.withLock { life in
            var status: Int32 = 0
            while unsafe waitpid(identifier, &status, 0) == -1, errno == EINTR {}
            let signal = status & 0x7f
            let end: ProcessEnd = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(by: signal)
            switch life {
            case .running(let waiting): waiters = waiting
            case .ended: break
            }
            life = .ended(end)
            return end
        }
        for waiter in waiters { waiter.resume(returning: end) }
    }
}
