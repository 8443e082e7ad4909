import ArgumentParser
import FoundationEssentials
import OfferSigning

/// How many payload signatures one core makes: joining the fields, SHA-256 and ECDSA, as the service does for each offer.
struct SigningBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Prints {\"signaturesPerSecond\": …, \"seconds\": …}, by user CPU time like `openssl speed`.")

    @Option(help: "The key's file.") var key: String
    @Option(help: "How long, in seconds of CPU time.") var seconds: Double

    func run() throws {
        try Crypto.hardenProcess()
        let key = try SigningKey.example(key)
        // Nonces are the service's affair; here only what a signature itself costs is timed.
        let nonces = (0..<1000).map { _ in UUID() }
        let start = CPUTime.user
        var signatures = 0
        var elapsed = 0.0
        while elapsed < seconds {
            for nonce in nonces {
                let payload = try OfferPayload(
                    bundleID: "com.example.app", keyID: key.id, productID: "com.example.pro.monthly", offerID: "winback50",
                    applicationUsername: "u-123", nonce: nonce, timestamp: 1_700_000_000_000)
                let signature = try key.sign(payload.bytes)
                precondition(signature.der.count > 60)
            }
            signatures += nonces.count
            elapsed = CPUTime.user - start
        }
        print("{\"signaturesPerSecond\": \(Double(signatures) / elapsed), \"seconds\": \(elapsed)}")
    }
}
