import BellhopTransport
import EndToEndSupport
import Glibc

/// Kills a bot, cuts its line and fells its server while 20 people talk to it, and says what became of every message.
@main struct Chaos {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--help"] {
            print(ChaosOptions.usage)
            exit(0)
        }
        let options: ChaosOptions
        do throws(ChaosOptions.Problem) {
            options = try ChaosOptions(arguments, drawn: UInt64.random(in: 0...999_999))
        } catch {
            note("\(error.sentence)\n\(ChaosOptions.usage)")
            exit(64)
        }
        note("seed \(options.seed)")
        let begun = MonotonicClock.now()
        let run = Task { try await ChaosRun.perform(options) { Chaos.note($0) } }
        do {
            try SignalWatch.start { _ in run.cancel() }
            let evidence = try await run.value
            let breaches = Judge(evidence).breaches()
            print(Report.text(options, Tally(evidence), breaches, took: MonotonicClock.now() - begun))
            exit(breaches.isEmpty ? 0 : 1)
        } catch is CancellationError {
            note("stopped; bot and server are gone")
            exit(130)
        } catch {
            note("\(error)")
            exit(69)
        }
    }

    private static func note(_ text: String) {
        let bytes = Array("chaos: \(text)\n".utf8)
        _ = unsafe write(2, bytes, bytes.count)
    }
}
