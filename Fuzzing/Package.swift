// swift-tools-version: 6.2
import PackageDescription

// Every module is compiled anew, with the fuzzer's counters and the address sanitizer in it; the sources are the repository's own.
let fuzzed: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"]),
]

/// A program that feeds one decoder.
func fuzzer(_ name: String, _ modules: Target.Dependency...) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["FuzzDriver"] + modules,
        swiftSettings: fuzzed,
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
    )
}

let package = Package(
    name: "offersigner-fuzzing",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "EligibilityRules", swiftSettings: fuzzed),
        .target(
            name: "COpenSSLShim",
            cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-fsanitize=fuzzer-no-link,address"])],
            linkerSettings: [.linkedLibrary("crypto")]
        ),
        .target(name: "WireText", swiftSettings: fuzzed),
        .target(name: "OfferSigning", dependencies: ["COpenSSLShim", "WireText"], swiftSettings: fuzzed),
        .target(
            name: "AppStore",
            dependencies: ["EligibilityRules", "OfferSigning", "WireText"],
            // What talks to the App Store needs other packages, and decodes nothing that is not decoded here.
            exclude: ["Calls", "ServerAPI", "Receipts/ReceiptVerification.swift"],
            swiftSettings: fuzzed
        ),
        .target(
            name: "OfferStore",
            dependencies: ["EligibilityRules", "WireText"],
            // Of what is stored, this decodes by itself.
            exclude: ["Access", "Changes", "Ledger", "Redemptions", "Secrets", "Store"],
            swiftSettings: fuzzed
        ),
        .target(name: "CLibFuzzer"),
        .target(
            name: "FuzzDriver",
            dependencies: ["AppStore", "CLibFuzzer", "EligibilityRules", "OfferSigning", "OfferStore", "WireText"],
            swiftSettings: fuzzed
        ),
        fuzzer("fuzz-json", "WireText"),
        fuzzer("fuzz-receipt", "AppStore", "EligibilityRules", "WireText"),
        fuzzer("fuzz-notification-v1", "AppStore", "WireText"),
        fuzzer("fuzz-signed-payload", "AppStore", "EligibilityRules", "OfferSigning", "WireText"),
        fuzzer("fuzz-signed-data", "OfferSigning", "WireText"),
        fuzzer("fuzz-certificates", "OfferSigning"),
        fuzzer("fuzz-chain-record", "EligibilityRules", "OfferStore"),
    ],
    swiftLanguageModes: [.v6]
)
