// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "offersigner-client",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .visionOS(.v1)],
    products: [
        .library(name: "OfferSignerClient", targets: ["OfferSignerClient"]),
        .library(name: "OfferSignerServerClient", targets: ["OfferSignerServerClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.25.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
    ],
    targets: [
        .target(name: "OfferSignerClient"),
        .target(
            name: "OfferSignerServerClient",
            dependencies: [
                "OfferSignerClient",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
    ]
)
