internal import BellhopXML

extension Element {
    /// The text without the blanks that pretty-printing puts around it.
    var token: String {
        let blank = Array(" \n\r\t".utf8)
        let text = Array(text.utf8.drop { blank.contains($0) })
        let trailing = text.reversed().prefix { blank.contains($0) }.count
        return String(decoding: text.dropLast(trailing), as: UTF8.self)
    }

    /// Whether an empty child of this name says something about the element, like `<required/>`.
    func marks(_ name: String) -> Bool { children.contains { $0.name == name } }

    /// The name, cut where a peer's words would flood a log line.
    var boundedName: String { String(name.prefix(100)) }
}
