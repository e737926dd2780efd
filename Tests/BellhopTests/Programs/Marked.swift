import FoundationEssentials

@testable import Bellhop

/// Programs of one test, which are known by a variable of their own wherever they have gone.
struct Marked {
    let mark = UUID().uuidString

    /// A script that `sh` runs, with words that it finds as `$1`, `$2`.
    func call(
        _ script: String, _ words: [String] = [], limit: Duration = .seconds(60), output: Int = 1_000_000
    ) -> ProgramCall {
        var call = ProgramCall(["sh", "-c", script, "sh"] + words, timeLimit: limit, outputLimit: output)
        call.environment = ["PATH": ProgramSearch.standardPath, "BELLHOP_MARK": mark]
        call.grace = .milliseconds(100)
        return call
    }

    /// The living processes that have the variable: all that is left of the programs.
    var left: [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.filter { entry in
            guard Int(entry) != nil, case .success(let file) = SystemFile.read("/proc/\(entry)/environ", limit: 1 << 20)
            else { return false }
            return String(decoding: file.bytes, as: UTF8.self).contains(mark)
        }
    }
}

extension ProgramRunner {
    /// Runs one program and returns its report with all of its output in `rest`.
    static func report(_ call: ProgramCall) async -> Report {
        let heard = HeardLines()
        guard var report = await ProgramRunner(atOnce: 1).run(call, heard: heard.add) else {
            return Report(ending: .cancelled)
        }
        report.rest = heard.all + report.rest
        report.hasSpoken = false
        return report
    }
}
