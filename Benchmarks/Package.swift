// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "offersigner-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "offersigner", path: "..")],
    targets: [
        .executableTarget(
            name: "signing-bench",
            dependencies: [.product(name: "OfferSigning", package: "offersigner")]
        )
    ]
)
