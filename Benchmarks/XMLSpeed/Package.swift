// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what it measures is package API, so the rooms are linked in under Sources.
let package = Package(
    name: "xml-speed",
    targets: [
        .systemLibrary(name: "CBellhopXML2", pkgConfig: "libxml-2.0"),
        .target(
            name: "BellhopXML", dependencies: ["CBellhopXML2"],
            swiftSettings: [
                .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        .executableTarget(name: "XMLSpeed", dependencies: ["BellhopXML"]),
    ],
    swiftLanguageModes: [.v6]
)
