// swift-tools-version: 6.2
import PackageDescription

// Every module is compiled anew, with the fuzzer's counters and the address sanitizer in it; the sources are the repository's own.
let fuzzed: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"]),
]

let package = Package(
    name: "offersigner-fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "EligibilityRules", swiftSettings: fuzzed),
        .target(
            name: "COpenSSLShim",
            cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-fsanitize=fuzzer-no-link,address"])],
            linkerSettings: [.linkedLibrary("crypto")]
        ),
        .target(
            name: "CPKCS11Shim",
            cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-fsanitize=fuzzer-no-link,address"])]
        ),
        .target(
            name: "CZlibShim",
            cSettings: [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])],
            linkerSettings: [.linkedLibrary("z")]
        ),
        .target(name: "CResources"),
        .target(name: "WireText", dependencies: ["CZlibShim"], swiftSettings: fuzzed),
        .target(name: "OfferSigning", dependencies: ["COpenSSLShim", "CPKCS11Shim", "WireText"], swiftSettings: fuzzed),
        .target(
            name: "AppStore",
            dependencies: ["EligibilityRules", "OfferSigning", "WireText"],
            swiftSettings: fuzzed
        ),
        .target(
            name: "OfferStore",
            dependencies: ["EligibilityRules", "WireText"],
            swiftSettings: fuzzed
        ),
        .target(
            name: "OfferService",
            dependencies: [
                "AppStore", "EligibilityRules", "OfferSigning", "OfferStore", "WireText",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: fuzzed
        ),
        .target(
            name: "OfferHTTP",
            dependencies: [
                "CResources", "EligibilityRules", "OfferService", "WireText",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Resources"],
            swiftSettings: fuzzed
        ),
        .target(
            name: "OfferStoreTesting",
            dependencies: ["EligibilityRules", "OfferStore"],
            swiftSettings: fuzzed
        ),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AppStore", "EligibilityRules", "OfferHTTP", "OfferService", "OfferSigning", "OfferStore", "OfferStoreTesting",
                "WireText",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: fuzzed
        ),
        .target(name: "CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: ["CLibFuzzer", "FuzzTargets"],
            swiftSettings: fuzzed,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)
