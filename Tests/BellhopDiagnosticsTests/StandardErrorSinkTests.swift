import BellhopDiagnostics
import Synchronization
import Testing

/// Keeps what a sink writes.
private final class Recorder: Sendable {
    private let chunks = Mutex<[[UInt8]]>([])

    func append(_ bytes: [UInt8]) { chunks.withLock { $0.append(bytes) } }

    var texts: [String] { chunks.withLock { $0.map { String(decoding: $0, as: UTF8.self) } } }
}

@Suite("Standard error sink")
struct StandardErrorSinkTests {
    private func sink(_ recorder: Recorder) -> StandardErrorSink {
        StandardErrorSink(
            renderer: LogRenderer(format: .text, underJournald: false), now: { 0 }, output: { recorder.append($0) })
    }

    @Test("a line is one write")
    func oneWrite() {
        let recorder = Recorder()
        let log = Log(level: .info, sink: sink(recorder))
        log.info("start", "Started", ["bot": "echobot"])
        log.debug("start", "not shown")
        #expect(recorder.texts == ["1970-01-01T00:00:00.000Z info  start: Started bot=echobot\n"])
    }

    @Test("lines of several threads stay whole")
    func threads() async {
        let recorder = Recorder()
        let sink = sink(recorder)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        sink.write(LogLine(level: .info, event: "e", message: "\(task).\(number)", fields: []))
                    }
                }
            }
        }
        let expected = (0..<8).flatMap { task in
            (0..<50).map { "1970-01-01T00:00:00.000Z info  e: \(task).\($0)\n" }
        }
        #expect(Set(recorder.texts) == Set(expected))
        #expect(recorder.texts.count == 400)
    }

    @Test("a secret never prints itself")
    func secret() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect(secret.reveal() == "hunter2")
    }
}
