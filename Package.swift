// swift-tools-version: 6.2
import PackageDescription

// Set by scripts/fuzz and scripts/sanitize: `fuzzer`, `thread` or `address`. SwiftPM knows the last two itself.
let sanitizer = Context.environment["OFFERSIGNER_SANITIZER"]
let isFuzzing = sanitizer == "fuzzer"
// One set of rules for every Swift target: strict Swift 6, nothing imported by accident, no warning tolerated.
let swiftSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"])] : [])
// What tests run millions of times is compiled for speed for them, too. Overflows and preconditions stay checked. Under the thread
// sanitizer this crashes the compiler (Swift 6.3.1).
let fastSettings = swiftSettings + (sanitizer == nil ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])
// Set by scripts/test, which prints how many lines of the stores the tests run.
let isMeasured = Context.environment["STORE_COVERAGE"] != nil
let storeSettings =
    swiftSettings
    + (isMeasured ? [.unsafeFlags(["-profile-generate", "-profile-coverage-mapping"], .when(configuration: .debug))] : [])
let storeLinking: [LinkerSetting] =
    isMeasured ? [.unsafeFlags(["-profile-generate"], .when(configuration: .debug))] : []
let cSettings: [CSetting] =
    [.treatAllWarnings(as: .error), .define("_GNU_SOURCE")]
    + (isFuzzing ? [.unsafeFlags(["-fsanitize=fuzzer-no-link,address"])] : [])

let package = Package(
    name: "offersigner",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "offersigner", targets: ["OfferSigner"]),
        .library(name: "OfferSigning", targets: ["OfferSigning"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        .target(name: "EligibilityRules", swiftSettings: fastSettings),
        .target(
            name: "COpenSSLShim",
            cSettings: cSettings,
            linkerSettings: [.linkedLibrary("crypto")]
        ),
        .target(name: "CPKCS11Shim", cSettings: cSettings),
        .target(name: "CZlibShim", cSettings: cSettings, linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CResources", cSettings: cSettings),
        .target(name: "WireText", dependencies: ["CZlibShim"], swiftSettings: swiftSettings),
        .target(
            name: "OfferSigning", dependencies: ["COpenSSLShim", "CPKCS11Shim", "WireText"], swiftSettings: swiftSettings),
        .target(
            name: "AppStore",
            dependencies: ["EligibilityRules", "OfferSigning", "WireText"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "AppStoreClient",
            dependencies: [
                "AppStore",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "OfferStore",
            dependencies: ["EligibilityRules", "WireText"],
            swiftSettings: fastSettings
        ),
        .target(
            name: "OfferStoreSQL",
            dependencies: ["EligibilityRules", "OfferStore"],
            swiftSettings: storeSettings,
            linkerSettings: storeLinking
        ),
        .target(
            name: "OfferStoreSQLite",
            dependencies: [
                "EligibilityRules", "OfferStore", "OfferStoreSQL", "WireText",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: storeSettings,
            linkerSettings: storeLinking
        ),
        .systemLibrary(name: "CLibPQ"),
        .target(
            name: "OfferStorePostgreSQL",
            dependencies: ["CLibPQ", "EligibilityRules", "OfferStore", "OfferStoreSQL", "WireText"],
            swiftSettings: storeSettings,
            linkerSettings: storeLinking
        ),
        .target(
            name: "OfferService",
            dependencies: [
                "AppStore", "EligibilityRules", "OfferSigning", "OfferStore", "WireText",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings
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
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "OfferSigner",
            dependencies: [
                "AppStore", "AppStoreClient", "EligibilityRules", "OfferHTTP", "OfferService", "OfferSigning", "OfferStore",
                "OfferStorePostgreSQL", "OfferStoreSQLite", "WireText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "signing-probe",
            dependencies: ["OfferSigning", "WireText"],
            path: "Tests/SigningProbe",
            swiftSettings: swiftSettings
        ),
        // The client's own package is Clients/Swift; these are its sources, built with the rest.
        .target(name: "OfferSignerClient", path: "Clients/Swift/Sources/OfferSignerClient", swiftSettings: swiftSettings),
        .target(
            name: "OfferSignerServerClient",
            dependencies: [
                "OfferSignerClient",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Clients/Swift/Sources/OfferSignerServerClient",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "client-probe",
            dependencies: [
                "OfferSignerClient", "OfferSignerServerClient",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            path: "Tests/ClientProbe",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "core-bench",
            dependencies: [
                "AppStore", "EligibilityRules", "OfferService", "OfferSigning", "OfferStore", "OfferStoreSQLite",
                "WireText",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Benchmarks/Sources/core-bench",
            swiftSettings: swiftSettings
        ),
        .target(name: "TestRandomness", path: "Tests/TestRandomness", swiftSettings: fastSettings),
        .target(
            name: "OfferStoreTesting",
            dependencies: ["EligibilityRules", "OfferStore", "OfferStoreSQLite"],
            path: "Tests/OfferStoreTesting",
            swiftSettings: fastSettings
        ),
        .target(
            name: "OfferSigningTesting",
            dependencies: ["OfferSigning", "WireText"],
            path: "Tests/OfferSigningTesting",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "AppStoreTesting",
            dependencies: [
                "AppStore", "AppStoreClient",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/AppStoreTesting",
            swiftSettings: swiftSettings
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
            path: "Tests/FuzzTargets",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "FuzzTargetsTests",
            dependencies: ["FuzzTargets", "TestRandomness"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "EligibilityRulesTests",
            dependencies: ["EligibilityRules", "TestRandomness"],
            swiftSettings: fastSettings
        ),
        .testTarget(
            name: "WireTextTests",
            dependencies: ["TestRandomness", "WireText"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "OfferSigningTests",
            dependencies: ["CPKCS11Shim", "OfferSigning", "OfferSigningTesting", "TestRandomness", "WireText"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "AppStoreTests",
            dependencies: [
                "AppStore", "AppStoreClient", "AppStoreTesting", "EligibilityRules", "OfferSigning", "OfferSigningTesting",
                "WireText",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "OfferStoreTests",
            dependencies: [
                "EligibilityRules", "OfferStore", "OfferStorePostgreSQL", "OfferStoreSQL", "OfferStoreSQLite",
                "OfferStoreTesting",
                "TestRandomness",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "OfferStorePostgreSQLTests",
            dependencies: [
                "CLibPQ", "EligibilityRules", "OfferStore", "OfferStorePostgreSQL", "OfferStoreSQL", "OfferStoreTesting",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "OfferStoreSQLiteTests",
            dependencies: [
                "EligibilityRules", "OfferStore", "OfferStoreSQL", "OfferStoreSQLite", "OfferStoreTesting", "TestRandomness",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "OfferServiceTests",
            dependencies: [
                "AppStore", "AppStoreTesting", "EligibilityRules", "OfferService", "OfferSigning", "OfferSigningTesting",
                "OfferStore", "OfferStoreSQL", "OfferStoreSQLite", "OfferStoreTesting", "TestRandomness", "WireText",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "OfferHTTPTests",
            dependencies: [
                "AppStore", "EligibilityRules", "OfferHTTP", "OfferService", "OfferSignerClient", "OfferSigning", "OfferStore",
                "OfferSigningTesting", "OfferStoreTesting", "TestRandomness", "WireText",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "OfferSignerTests",
            dependencies: [
                "AppStore", "EligibilityRules", "OfferHTTP", "OfferService", "OfferSigner", "OfferSigning", "OfferSigningTesting",
                "OfferStore", "OfferStoreTesting", "WireText",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings
        ),
    ],
    swiftLanguageModes: [.v6]
)

if isFuzzing {
    package.targets += [
        .target(name: "CLibFuzzer", path: "Fuzzing/CLibFuzzer", cSettings: cSettings),
        .executableTarget(
            name: "fuzz",
            dependencies: ["CLibFuzzer", "FuzzTargets"],
            path: "Fuzzing/fuzz",
            swiftSettings: swiftSettings,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        ),
    ]
}
