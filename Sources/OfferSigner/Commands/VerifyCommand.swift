import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferService
import OfferSigning
import WireText

/// Examines a signature as it was passed to StoreKit.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a signature and say which of the usual mistakes was made.",
        discussion: "Give every value exactly as the app passes it to StoreKit. Exits with 0 only for a good signature."
    )

    @Option(
        name: .customLong("key"), help: ArgumentHelp("Key file; repeat for every key that may have signed.", valueName: "file"))
    var keys: [String]

    @Option(help: ArgumentHelp("File that holds the keys' passphrase.", valueName: "file"))
    var passphraseFile: String?

    @Option(help: ArgumentHelp("The app's bundle id.", valueName: "id"))
    var bundleID: String

    @Option(
        name: .customLong("other-bundle-id"),
        help: ArgumentHelp("Another app that it may have been signed for; repeatable.", valueName: "id"))
    var otherBundleIDs: [String] = []

    @Option(help: ArgumentHelp("Key id that goes with the signature. Default: that of the first key file.", valueName: "id"))
    var keyID: String?

    @Option(help: ArgumentHelp("Product id.", valueName: "id"))
    var productID: String

    @Option(help: ArgumentHelp("Promotional offer id.", valueName: "id"))
    var offerID: String

    @Option(help: "Field 5, byte for byte.")
    var applicationUsername = ""

    @Option(help: "The nonce.")
    var nonce: String

    @Option(help: "The timestamp.")
    var timestamp: Int64

    @Option(help: "The signature, Base64.")
    var signature: String

    func validate() throws { try TimestampOption.check(timestamp) }

    func run() async throws {
        let passphrase = try passphraseFile.map { try TextFile.read($0, for: "--passphrase-file").trimmed }
        let keys = try keys.map { try KeyFile(path: $0).load(passphrase: passphrase, slots: 1) }
        let presented = PresentedSignature(
            bundleID: bundleID,
            keyID: keyID ?? keys[0].id,
            productID: productID,
            offerID: offerID,
            applicationUsername: applicationUsername,
            nonce: nonce,
            timestamp: timestamp,
            signature: signature
        )
        let diagnosis = SignatureDiagnosis(keys: keys, bundleIDs: otherBundleIDs)
        let findings = diagnosis.findings(for: presented, now: SystemEnvironment.live.now().milliseconds)
        if findings.isEmpty { return print("valid") }
        for finding in findings { print("\(finding.code.rawValue): \(finding.message)") }
        throw ExitCode.failure
    }
}
