internal import BellhopEngine

/// A picture that a person has to look at, in a folder of its own for as long as that takes.
struct PictureFile {
    let path: String
    private let folder: String

    /// Nil where there is nothing to write to.
    init?(_ picture: RegistrationQuestion.Picture, _ surroundings: some Surroundings) {
        let parent = surroundings.variable("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        guard let folder = SystemFile.makeTemporaryFolder(in: parent, prefix: "bellhop-") else { return nil }
        let path = folder + "/picture." + Self.ending(picture.type)
        guard case .success = SystemFile.create(path, picture.bytes) else {
            SystemFile.removeFolder(folder)
            return nil
        }
        self.folder = folder
        self.path = path
    }

    func remove() { SystemFile.removeFolder(folder) }

    /// No part of a server's words gets into a file's name.
    private static func ending(_ type: String) -> String {
        switch type {
        case "image/png": "png"
        case "image/jpeg": "jpg"
        case "image/gif": "gif"
        case "image/svg+xml": "svg"
        case "image/webp": "webp"
        default: "bin"
        }
    }
}
