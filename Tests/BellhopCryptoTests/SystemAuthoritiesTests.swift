import Foundation
import Testing

@testable import BellhopCrypto

@Suite("System authorities")
struct SystemAuthoritiesTests {
    @Test(
        "the linked directory is enough only where nothing is in the bundle alone",
        arguments: [
            (links: ["01234567.0", "89abcdef.0"], certificates: 2, inside: true, complete: true),
            (links: ["01234567.0", "01234567.1"], certificates: 1, inside: true, complete: true),
            (links: ["01234567.0", "89abcdef.0"], certificates: 3, inside: true, complete: false),
            (links: ["01234567.0", "89abcdef.0"], certificates: 2, inside: false, complete: false),
            (
                links: ["01234567.0", "name.pem", "0123456.0", "0123456789", "01234567.r0", "0123456g.0"],
                certificates: 2, inside: true, complete: false
            ),
            (links: [], certificates: 0, inside: true, complete: false),
        ])
    func complete(links: [String], certificates: Int, inside: Bool, complete: Bool) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("bellhop-\(UUID().uuidString)")
        let directory = root.appendingPathComponent("certs")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        for link in links { try Data().write(to: directory.appendingPathComponent(link)) }
        let pem = "# a name\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        let bundle = (inside ? directory : root).appendingPathComponent("bundle.crt")
        try Data(String(repeating: pem, count: certificates).utf8).write(to: bundle)
        let shortcut = root.appendingPathComponent("cert.pem")
        try FileManager.default.createSymbolicLink(at: shortcut, withDestinationURL: bundle)
        #expect(SystemAuthorities.isComplete(directory: directory.path, bundle: shortcut.path) == complete)
        // Without a bundle, the directory is all there is.
        #expect(SystemAuthorities.isComplete(directory: directory.path, bundle: "/nonexistent") == !links.isEmpty)
    }

    @Test("without the directory there is only the bundle")
    func missing() {
        #expect(!SystemAuthorities.isComplete(directory: "/nonexistent", bundle: "/nonexistent"))
    }
}
