import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore

/// Examines signatures, with the ledger's memory of what was really signed where trying out does not explain one.
///
/// One after the other: an examination may take a tenth of a second, and all else that is asynchronous here shares its threads.
actor SignatureExamination {
    private let ledger: any Ledger

    init(ledger: any Ledger) { self.ledger = ledger }

    /// What is wrong; empty if nothing is.
    func findings(
        for presented: PresentedSignature,
        by diagnosis: SignatureDiagnosis,
        now: Instant
    ) async throws(StoreError) -> [Finding] {
        let findings = diagnosis.findings(for: presented, now: now.milliseconds)
        guard findings.contains(where: { $0.code == .notOurs }), let nonce = UUID(text: presented.nonce),
            let entry = try await ledger.entry(nonce: nonce), entry.bundleID == presented.bundleID,
            let signed = entry.applicationUsername,
            !signed.utf8.elementsEqual(presented.applicationUsername.utf8)
        else { return findings }
        // Whoever holds the right signature proves it by its verifying under the recorded name.
        let corrected = diagnosis.findings(for: presented.with(applicationUsername: signed), now: now.milliseconds)
        guard !corrected.contains(where: { $0.code == .notOurs }) else { return findings }
        return corrected + [.difference(signed: signed, passed: presented.applicationUsername)]
    }
}
