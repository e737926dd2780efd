/// The version of Bellhop, as `--version` says it.
enum Version {
    static let current = "0.1.0"
}
