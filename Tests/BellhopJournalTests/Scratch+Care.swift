import Foundation

extension Scratch {
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Which files have the text in them, byte for byte.
    func files(holding text: String) -> [String] {
        let wanted = Data(text.utf8)
        return names.filter { Data(bytes($0)).range(of: wanted) != nil }
    }
}
