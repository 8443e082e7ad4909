import ArgumentParser
import EligibilityRules
import FoundationEssentials
import OfferHTTP
import OfferService
import OfferSigning
import WireText

/// Makes one signature, without a server and without a record.
struct SignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign one offer with a key file and print the answer as JSON.",
        discussion: "For trying out and for tests: no server, no ledger, no catalogue. Nonce and timestamp are made unless given."
    )

    @Option(help: ArgumentHelp("Key file, SubscriptionKey_<KEYID>.p8.", valueName: "file"))
    var key: String

    @Option(help: ArgumentHelp("Key id, for a file whose name does not have it.", valueName: "id"))
    var keyID: String?

    @Option(help: ArgumentHelp("File that holds the key's passphrase.", valueName: "file"))
    var passphraseFile: String?

    @Option(help: ArgumentHelp("The app's bundle id.", valueName: "id"))
    var bundleID: String

    @Option(help: ArgumentHelp("Product id.", valueName: "id"))
    var productID: String

    @Option(help: ArgumentHelp("Promotional offer id.", valueName: "id"))
    var offerID: String

    @Option(help: "Field 5: app account token (a UUID) or application user name.")
    var applicationUsername = ""

    @Option(help: "payload or jws.")
    var form: SignatureRequest.Form = .payload

    @Option(help: ArgumentHelp("Issuer id from App Store Connect; needed for jws.", valueName: "id"))
    var issuerID: String?

    @Option(help: ArgumentHelp("A transaction id of the customer's, for jws.", valueName: "id"))
    var transactionID: String?

    @Option(help: "A UUID; made if left out.")
    var nonce: String?

    @Option(help: "Milliseconds since 1970; now if left out.")
    var timestamp: Int64?

    func validate() throws {
        try timestamp.map(TimestampOption.check)
        let ids = [("bundle", bundleID), ("product", productID), ("offer", offerID), ("issuer", issuerID)]
        for (name, id) in ids {
            if let fault = id.flatMap({ Identifier.fault(of: $0) }) { throw ValidationError("--\(name)-id \(fault)") }
        }
        if let fault = transactionID.flatMap(Identifier.fault(ofTransactionID:)) {
            throw ValidationError("--transaction-id \(fault)")
        }
        if let fault = Identifier.fault(of: applicationUsername, mayBeEmpty: true) {
            throw ValidationError("--application-username \(fault)")
        }
    }

    func run() async throws {
        let passphrase = try passphraseFile.map { try TextFile.read($0, for: "--passphrase-file").trimmed }
        let key = try KeyFile(path: key).load(id: keyID, passphrase: passphrase, slots: 1)
        let username = OfferPayload.normalisedUsername(applicationUsername)
        let (nonce, timestamp) = (try uuid(), timestamp ?? SystemEnvironment.live.now().milliseconds)
        let result = OfferResult(
            productID: productID, purpose: .promotionalOffer(offerID: offerID),
            outcome: .signed(try sign(key, username, nonce, timestamp)))
        let issued = IssuedOffers(
            keyID: key.id, timestamp: timestamp, applicationUsername: username, results: [result])
        print(String(decoding: SignatureJSON.body(issued), as: UTF8.self))
    }

    private func uuid() throws -> UUID {
        guard let nonce else { return UUID() }
        guard let uuid = UUID(text: nonce) else { throw ValidationError("--nonce must be a UUID of 36 characters") }
        return uuid
    }

    private func sign(
        _ key: SigningKey,
        _ username: String,
        _ nonce: UUID,
        _ timestamp: Int64
    ) throws -> SignedOffer {
        if form == .jws {
            guard let issuerID else { throw ValidationError("--issuer-id is needed for --form jws") }
            let purpose = JWSClaims.Purpose.promotionalOffer(
                productID: productID, offerID: offerID, transactionID: transactionID)
            let claims = JWSClaims(
                purpose: purpose, issuerID: issuerID, bundleID: bundleID, nonce: nonce, timestamp: timestamp)
            let signed = try key.sign(claims)
            return SignedOffer(nonce: nonce, token: .jws(signed.compactJWS), digest: signed.digest, advice: nil)
        }
        let payload = try OfferPayload(
            bundleID: bundleID, keyID: key.id, productID: productID, offerID: offerID,
            applicationUsername: username, nonce: nonce, timestamp: timestamp)
        let signature = try key.sign(payload)
        return SignedOffer(nonce: nonce, token: .payload(signature.der), digest: signature.digest, advice: nil)
    }
}

extension SignatureRequest.Form: ExpressibleByArgument {}

/// Checks the option `--timestamp` for all commands that have it.
enum TimestampOption {
    /// Throws for a value outside the range of clocks.
    static func check(_ timestamp: Int64) throws {
        let allowed = SigningClock.timestamps
        guard allowed.contains(timestamp) else {
            throw ValidationError("--timestamp must be from \(allowed.lowerBound) to \(allowed.upperBound)")
        }
    }
}
