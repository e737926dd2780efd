import CFuzzer
import Glibc

/// One thing that is fed with made-up bytes; a trap or a broken promise (`fatalError`) is a finding.
struct FuzzTarget {
    var name: String
    var run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
}

/// `FUZZ_TARGET=name Fuzz [libFuzzer's arguments]`; `scripts/fuzz` is the way to call it.
///
/// The name stands in the environment because libFuzzer starts this program again with arguments of its own.
@main struct Fuzz {
    static let targets = [
        StreamParserTarget.bytes, StreamParserTarget.markup, JIDTarget.text, SCRAMTarget.dialogue,
        NegotiationTarget.bytes,
    ]

    static func main() {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
        guard let target = targets.first(where: { $0.name == name }) else {
            fatalError("FUZZ_TARGET must be one of: \(targets.map(\.name).joined(separator: " "))")
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        let result = withUnsafeMutablePointer(to: &arguments) { pointer in
            pointer.withMemoryRebound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self, capacity: 1) {
                LLVMFuzzerRunDriver(&count, $0, target.run)
            }
        }
        if result != 0 { exit(result) }
    }
}
