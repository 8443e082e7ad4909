import EligibilityRules
import FoundationEssentials
import OfferSigning
package import OfferStore
import WireText

/// The use case that says what is wrong with a signature.
///
/// It tries the usual mistakes. If none of them explains the signature, the ledger shows what was really signed with its nonce.
/// It stores nothing, and knows nothing of HTTP.
package struct SignatureExamination: Sendable {
    /// What is examined.
    package enum Subject: Sendable {
        case payload(PayloadSignature)
        /// A compact JWS, as its text.
        case jws(String)
    }

    /// A signature in the payload form, and the values that were passed to StoreKit together with it.
    package struct PayloadSignature: Sendable {
        package let productID: String
        package let offerID: String
        package let applicationUsername: String
        package let nonce: String
        package let keyID: String
        /// The signature in Base64.
        package let signature: String
        /// The timestamp of the signature, in ms since 1970.
        package let timestamp: Int64

        package init(
            productID: String,
            offerID: String,
            applicationUsername: String,
            nonce: String,
            keyID: String,
            signature: String,
            timestamp: Int64
        ) {
            self.productID = productID
            self.offerID = offerID
            self.applicationUsername = applicationUsername
            self.nonce = nonce
            self.keyID = keyID
            self.signature = signature
            self.timestamp = timestamp
        }
    }

    /// A mistake in the signature or in the values.
    package struct Finding: Sendable {
        /// A stable code of one of the usual mistakes.
        package let code: String
        /// What is wrong, and what to do about it.
        package let message: String
    }

    /// The most characters of a JWS that is examined.
    package static let longestJWS = 8192

    package let apps: AppDirectory
    package let keys: CurrentKeyRing
    package let ledger: any Ledger
    package let system: SystemEnvironment
    /// The thread that runs examinations one after the other, because each may take a tenth of a second.
    private let executor = BoundedExecutor(
        threads: 1, limit: 32, niceness: 10,
        refusal: IssueError.notReady("too many signatures are examined at once", of: .load))

    package init(apps: AppDirectory, keys: CurrentKeyRing, ledger: any Ledger, system: SystemEnvironment) {
        self.apps = apps
        self.keys = keys
        self.ledger = ledger
        self.system = system
    }

    /// Examines a signature, and replies on the event loop of the lane with the mistakes; empty if there are none.
    package func examine(
        _ subject: Subject,
        of app: App,
        for caller: Caller,
        lane: StoreLane,
        reply: @escaping (Result<[Finding], any Error>) -> Void
    ) {
        let diagnosis = diagnosis(of: app, for: caller)
        lane.perform(on: executor, { try await found(in: subject, of: app, by: diagnosis) }, reply: reply)
    }

    /// Examines a signature, and returns the mistakes; empty if there are none.
    package func findings(for subject: Subject, of app: App, for caller: Caller) async throws -> [Finding] {
        let diagnosis = diagnosis(of: app, for: caller)
        return try await executor.run { try await found(in: subject, of: app, by: diagnosis) }
    }

    private func diagnosis(of app: App, for caller: Caller) -> SignatureDiagnosis {
        let ring = keys.current
        return SignatureDiagnosis(
            keys: ring.keys(for: app.bundleID) + [app.xcode?.ownKey].compactMap(\.self),
            bundleIDs: apps.bundleIDs.filter(caller.mayUse),
            revokedKeyIDs: ring.revokedIDs(in: app.bundleID))
    }

    private func found(in subject: Subject, of app: App, by diagnosis: SignatureDiagnosis) async throws -> [Finding] {
        try await findings(for: subject, of: app, by: diagnosis).map { Finding(code: $0.code.rawValue, message: $0.message) }
    }

    private func findings(
        for subject: Subject,
        of app: App,
        by diagnosis: SignatureDiagnosis
    ) async throws -> [OfferSigning.Finding] {
        let now = system.now().milliseconds
        switch subject {
        case .payload(let signature):
            return try await findings(for: PresentedSignature(signature, of: app), by: diagnosis, now: now)
        case .jws(let text):
            let findings = diagnosis.findings(
                forJWS: text, bundleID: app.bundleID, issuerID: app.credentials.issuerID, now: now)
            guard findings.contains(where: \.isUnexplained), let nonce = PresentedJWS(text)?.nonce,
                let (entry, signature) = try await record(of: nonce, bundleID: app.bundleID)
            else { return findings }
            return findings + [.onRecord(entry, signature)]
        }
    }

    private func findings(
        for presented: PresentedSignature,
        by diagnosis: SignatureDiagnosis,
        now: Int64
    ) async throws -> [OfferSigning.Finding] {
        let findings = diagnosis.findings(for: presented, now: now)
        guard findings.contains(where: \.isUnexplained),
            let (entry, signature) = try await record(
                of: PresentedJWS(presented.signature)?.nonce ?? presented.nonce, bundleID: presented.bundleID)
        else { return findings }
        let signed = entry.request.applicationUsername ?? presented.applicationUsername
        let corrected = diagnosis.findings(
            for: presented.with(productID: signature.productID, offerID: signature.offerID, applicationUsername: signed), now: now
        )
        // If the signature verifies with the recorded values, the caller holds the right signature, and is shown how its own
        // values differ from the recorded ones. Any other caller is only shown which offer the nonce was signed for.
        guard !corrected.contains(where: \.isUnexplained) else { return findings + [.onRecord(entry, signature)] }
        let isSameOffer =
            signature.productID.utf8.elementsEqual(presented.productID.utf8)
            && signature.offerID.utf8.elementsEqual(presented.offerID.utf8)
        let isSameName = signed.utf8.elementsEqual(presented.applicationUsername.utf8)
        return corrected + (isSameOffer ? [] : [.onRecord(entry, signature)])
            + (isSameName ? [] : [.difference(signed: signed, passed: presented.applicationUsername)])
    }

    /// What the ledger has for the nonce; nil if it has none, or if the nonce was signed for another app than the caller asks
    /// about.
    private func record(of text: String, bundleID: String) async throws(StoreError) -> (LedgerEntry, LedgerSignature)? {
        guard let nonce = UUID(text: text), let entry = try await ledger.entry(nonce: nonce),
            entry.partition.bundleID == bundleID,
            let signature = entry.signatures.first(where: { $0.nonce == nonce })
        else { return nil }
        return (entry, signature)
    }
}

extension OfferSigning.Finding {
    /// Whether the signature verified with no combination of values, so that only the ledger can show what was signed.
    fileprivate var isUnexplained: Bool {
        [.notOurs, .compactJWS, .base64Invalid, .signatureMalformed].contains(code)
    }

    fileprivate static func onRecord(_ entry: LedgerEntry, _ signature: LedgerSignature) -> Self {
        let offer = entry.form == .introductoryJWS ? "its introductory offer" : "the offer \(signature.offerID)"
        let form = entry.form == .payload ? "a payload" : "a JWS"
        return Self(
            .nonceOnRecord,
            "the ledger has this nonce for the product \(signature.productID) and \(offer), signed as \(form) with key \(entry.keyID)"
        )
    }
}

extension PresentedSignature {
    fileprivate init(_ request: SignatureExamination.PayloadSignature, of app: App) {
        self.init(
            bundleID: app.bundleID,
            keyID: request.keyID,
            productID: request.productID,
            offerID: request.offerID,
            applicationUsername: request.applicationUsername,
            nonce: request.nonce,
            timestamp: request.timestamp,
            signature: request.signature
        )
    }
}
