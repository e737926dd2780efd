// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: house)
}

/// A bot sees what a stranger's package sees: the public API and nothing else.
func bot(_ name: String, path: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, packageAccess: false, swiftSettings: house)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: house)
}

let package = Package(
    name: "bellhop",
    products: [
        .executable(name: "echobot", targets: ["echobot"]),
        .executable(name: "opsbot", targets: ["opsbot"]),
        .executable(name: "bellhop", targets: ["BellhopCommand"]),
        .library(name: "Bellhop", targets: ["Bellhop"]),
        .library(name: "BellhopTesting", targets: ["BellhopTesting"]),
    ],
    targets: [
        // C: module maps, and a shim for each macro that the importer cannot see.
        .systemLibrary(name: "CBellhopXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CBellhopOpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CBellhopSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CBellhopICU", pkgConfig: "icu-uc", providers: [.apt(["libicu-dev"])]),
        .systemLibrary(name: "CBellhopResolv"),
        .systemLibrary(name: "CBellhopProcess"),

        // Doors: C becomes Swift values, and nothing more.
        library("BellhopXML", ["CBellhopXML2"]),
        library("BellhopCrypto", ["CBellhopOpenSSL"]),
        library("BellhopSQLite", ["CBellhopSQLite"]),
        library("BellhopUnicode", ["CBellhopICU"]),

        // Protocol: values and state machines, no sockets, clocks, tasks or logging.
        library("BellhopXMPP", ["BellhopXML", "BellhopUnicode"]),
        library("BellhopEngine", ["BellhopXMPP", "BellhopXML", "BellhopCrypto"]),

        // Edge: the loop where the two halves meet.
        library("BellhopDiagnostics"),
        library("BellhopTransport", ["CBellhopResolv"]),
        library(
            "BellhopClient",
            [
                "BellhopTransport", "BellhopEngine", "BellhopXMPP", "BellhopXML", "BellhopCrypto",
                "BellhopDiagnostics",
            ]),

        // Bot: commands, policy, what was said and what became of it.
        library("BellhopBot", ["BellhopXMPP", "BellhopXML", "BellhopDiagnostics"]),
        library("BellhopJournal", ["BellhopXMPP", "BellhopSQLite", "BellhopDiagnostics"]),

        // House: puts the rooms together.
        library(
            "Bellhop",
            [
                "BellhopBot", "BellhopJournal", "BellhopClient", "BellhopEngine", "BellhopTransport", "BellhopXMPP",
                "BellhopXML", "BellhopCrypto", "BellhopDiagnostics", "CBellhopProcess",
            ]),
        bot("BellhopCommand", path: "Sources/BellhopCommand", ["Bellhop"]),

        // Bots.
        bot("echobot", path: "bots/echo", ["Bellhop"]),
        bot("opsbot", path: "bots/ops", ["Bellhop"]),

        // A person on the other side, for scripts/run and the end-to-end tests; not a product.
        .executableTarget(
            name: "visitor",
            dependencies: ["BellhopClient", "BellhopTransport", "BellhopXMPP", "BellhopXML", "BellhopDiagnostics"],
            path: "Sources/Visitor", swiftSettings: house),

        // A bot with commands that are slow, fail, or say what is hard to say, for the end-to-end tests; not a product.
        bot("fixturebot", path: "Tests/FixtureBot", ["Bellhop"]),

        // What the journal costs, and something to kill in its tests; not a product.
        .executableTarget(
            name: "journal-benchmark", dependencies: ["BellhopJournal", "BellhopXMPP", "BellhopDiagnostics"],
            path: "Benchmarks/Journal", swiftSettings: house),

        // An in-process server that plays scripts and faults.
        library(
            "BellhopTestServer",
            ["BellhopTransport", "BellhopXML", "BellhopXMPP", "BellhopCrypto", "BellhopDiagnostics"]),

        // A stage for the tests of bot authors.
        library(
            "BellhopTesting",
            [
                "Bellhop", "BellhopTestServer", "BellhopBot", "BellhopClient", "BellhopEngine", "BellhopTransport",
                "BellhopXMPP", "BellhopXML", "BellhopCrypto", "BellhopDiagnostics",
            ]),

        // Certificates of every kind, made when a test asks for them.
        .target(
            name: "CertificateWorkshop", dependencies: ["BellhopCrypto"], path: "Tests/CertificateWorkshop",
            swiftSettings: house),

        // What the end-to-end tests and the chaos run share: real servers, processes, raw streams.
        .target(
            name: "EndToEndSupport",
            dependencies: [
                "BellhopTransport", "BellhopXMPP", "BellhopXML", "BellhopCrypto", "BellhopSQLite", "CBellhopProcess",
            ],
            path: "Tests/EndToEndSupport", swiftSettings: house),

        // A bot that is killed and cut off, on purpose and by a seed, and what became of each message; not a product.
        .executableTarget(
            name: "chaos",
            dependencies: ["EndToEndSupport", "BellhopTransport", "BellhopXMPP", "BellhopXML"],
            path: "Tests/Chaos", swiftSettings: house),

        // Tests, one suite a room.
        tests("BellhopXMLTests", ["BellhopXML"]),
        tests("BellhopCryptoTests", ["CertificateWorkshop", "BellhopCrypto"]),
        tests("BellhopUnicodeTests", ["BellhopUnicode"]),
        tests("BellhopSQLiteTests", ["BellhopSQLite"]),
        tests("BellhopXMPPTests", ["BellhopXMPP", "BellhopXML"]),
        tests("BellhopEngineTests", ["BellhopEngine", "BellhopXMPP", "BellhopXML", "BellhopCrypto"]),
        tests("BellhopDiagnosticsTests", ["BellhopDiagnostics"]),
        tests("BellhopTransportTests", ["BellhopTransport", "BellhopTestServer"]),
        tests("BellhopBotTests", ["BellhopBot", "BellhopXMPP", "BellhopXML", "BellhopDiagnostics"]),
        tests(
            "BellhopJournalTests",
            [
                "journal-benchmark", "BellhopJournal", "BellhopSQLite", "BellhopXMPP", "BellhopXML",
                "BellhopDiagnostics",
            ]),
        tests(
            "BellhopTests",
            [
                "Bellhop", "BellhopBot", "BellhopJournal", "BellhopClient", "BellhopEngine", "BellhopTransport",
                "BellhopXMPP", "BellhopCrypto",
                "BellhopDiagnostics",
            ]),
        tests("BellhopTestServerTests", ["BellhopTestServer", "BellhopXMPP", "BellhopXML", "BellhopCrypto"]),
        // A bot's author sees the public API and nothing else, in tests as well.
        .testTarget(
            name: "BellhopTestingTests", dependencies: ["BellhopTesting", "Bellhop"], packageAccess: false,
            swiftSettings: house),
        tests("OpsBotTests", ["opsbot", "Bellhop"], exclude: ["Recorded"]),
        tests(
            "BellhopWireTests",
            [
                "CertificateWorkshop", "Bellhop", "BellhopTestServer", "BellhopBot", "BellhopClient", "BellhopJournal",
                "BellhopTransport",
                "BellhopEngine", "BellhopSQLite", "BellhopXMPP", "BellhopXML", "BellhopCrypto", "BellhopDiagnostics",
            ], resources: [.copy("Cases")]),
        tests(
            "SoakTests",
            [
                "Bellhop", "BellhopTesting", "BellhopTestServer", "BellhopBot", "BellhopClient", "BellhopEngine",
                "BellhopJournal", "BellhopTransport", "BellhopSQLite", "BellhopXMPP", "BellhopXML",
                "BellhopDiagnostics",
            ]),
        tests(
            "EndToEndTests",
            [
                "echobot", "opsbot", "BellhopCommand", "visitor", "fixturebot", "chaos", "EndToEndSupport",
                "BellhopTransport", "BellhopXMPP", "BellhopXML", "BellhopCrypto", "BellhopSQLite",
            ]),
        tests("ChaosTests", ["chaos", "EndToEndSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
