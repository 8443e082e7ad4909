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
        discussion: """
            Give every value exactly as the app passes it to StoreKit: a signature in the payload form with its fields, or \
            a JWS alone. Exits with 0 only for a good signature.
            """
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
    var productID: String?

    @Option(help: ArgumentHelp("Promotional offer id.", valueName: "id"))
    var offerID: String?

    @Option(help: "Field 5, byte for byte.")
    var applicationUsername = ""

    @Option(help: "The nonce.")
    var nonce: String?

    @Option(help: "The timestamp.")
    var timestamp: Int64?

    @Option(help: "The signature, Base64.")
    var signature: String?

    @Option(
        name: .customLong("compact-jws"),
        help: ArgumentHelp("A JWS, in place of a signature and its fields.", valueName: "jws"))
    var compactJWS: String?

    @Option(
        name: .customLong("issuer-id"),
        help: ArgumentHelp("The issuer id that a JWS must have. Default: it is not compared.", valueName: "id"))
    var issuerID: String?

    func validate() throws {
        let fields: [(String, Any?)] = [
            ("product-id", productID), ("offer-id", offerID), ("nonce", nonce), ("timestamp", timestamp),
            ("signature", signature),
        ]
        for (name, value) in fields where (value == nil) == (compactJWS == nil) {
            throw ValidationError(
                value == nil
                    ? "--\(name) is missing; give it, or --compact-jws" : "--\(name) cannot be given together with --compact-jws")
        }
        if let timestamp { try TimestampOption.check(timestamp) }
    }

    func run() async throws {
        let passphrase = try passphraseFile.map { try TextFile.read($0, for: "--passphrase-file").trimmed }
        let keys = try keys.map { try KeyFile(path: $0).load(passphrase: passphrase, slots: 1) }
        let diagnosis = SignatureDiagnosis(keys: keys, bundleIDs: otherBundleIDs)
        let findings = findings(by: diagnosis, keyID: keyID ?? keys[0].id, now: SystemEnvironment.live.now().milliseconds)
        if findings.isEmpty { return print("valid") }
        for finding in findings { print("\(finding.code.rawValue): \(finding.message)") }
        throw ExitCode.failure
    }

    private func findings(by diagnosis: SignatureDiagnosis, keyID: String, now: Int64) -> [Finding] {
        if let compactJWS {
            return diagnosis.findings(forJWS: compactJWS, bundleID: bundleID, issuerID: issuerID, now: now)
        }
        // `validate` has checked that all of them are given.
        let presented = PresentedSignature(
            bundleID: bundleID,
            keyID: keyID,
            productID: productID ?? "",
            offerID: offerID ?? "",
            applicationUsername: applicationUsername,
            nonce: nonce ?? "",
            timestamp: timestamp ?? 0,
            signature: signature ?? ""
        )
        return diagnosis.findings(for: presented, now: now)
    }
}
