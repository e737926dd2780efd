// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because the coverage that guides libFuzzer needs unsafe flags, which would keep others from
// depending on ours. The rooms are linked in under Sources; one executable holds all targets.
let instrumented: [SwiftSetting] = [
    .unsafeFlags(["-sanitize=fuzzer,address"]),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "fuzz",
    targets: [
        .systemLibrary(name: "CBellhopXML2", pkgConfig: "libxml-2.0"),
        .systemLibrary(name: "CBellhopICU", pkgConfig: "icu-uc"),
        .systemLibrary(name: "CBellhopOpenSSL", pkgConfig: "openssl"),
        .target(name: "BellhopXML", dependencies: ["CBellhopXML2"], swiftSettings: instrumented),
        .target(name: "BellhopUnicode", dependencies: ["CBellhopICU"], swiftSettings: instrumented),
        .target(name: "BellhopCrypto", dependencies: ["CBellhopOpenSSL"], swiftSettings: instrumented),
        .target(name: "BellhopXMPP", dependencies: ["BellhopXML", "BellhopUnicode"], swiftSettings: instrumented),
        .target(
            name: "BellhopEngine", dependencies: ["BellhopXMPP", "BellhopXML", "BellhopCrypto"],
            swiftSettings: instrumented),
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "Fuzz", dependencies: ["CFuzzer", "BellhopXML", "BellhopXMPP", "BellhopCrypto", "BellhopEngine"],
            swiftSettings: instrumented,
            linkerSettings: [
                .unsafeFlags([
                    "-sanitize=fuzzer,address", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker",
                    "nostart-stop-gc",
                ])
            ]),
    ],
    swiftLanguageModes: [.v6]
)
