import Foundation

/// One case of the format `bot-case/1`: what a server sends to a bot, and what must come of it.
struct CaseFile: Sendable {
    let name: String
    let title: String
    let setup: [String: JSONValue]
    let steps: [[String: JSONValue]]
    let expect: [String: JSONValue]

    struct Unreadable: Error {
        var name: String
        var why: String
    }

    init(_ name: String) throws {
        guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Cases") else {
            throw Unreadable(name: name, why: "there is no such file")
        }
        let file = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url))
        guard file["format"]?.string == "bot-case/1", file["case"]?.string == name, let title = file["title"]?.string,
            let setup = file["setup"]?.object, let steps = file["steps"]?.array, let expect = file["expect"]?.object
        else { throw Unreadable(name: name, why: "a member is missing") }
        self.name = name
        self.title = title
        self.setup = setup
        self.steps = steps.compactMap(\.object)
        self.expect = expect
    }

    /// The names of all files.
    static var all: [String] {
        let folder = Bundle.module.resourcePath.map { $0 + "/Cases" } ?? ""
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// The variants that the case is run in, each from a fresh start; one without a name where there are none.
    var variants: [String?] {
        let names = steps.compactMap { $0["variant"]?.string }
        return names.isEmpty ? [nil] : names
    }

    /// The steps of one variant, in order.
    func steps(of variant: String?) -> [[String: JSONValue]] {
        steps.flatMap { step -> [[String: JSONValue]] in
            guard let name = step["variant"]?.string else { return [step] }
            guard name == variant else { return [] }
            var step = step
            step["variant"] = nil
            let then = step.removeValue(forKey: "then")?.object
            return [step] + (then.map { [$0] } ?? [])
        }
    }
}
