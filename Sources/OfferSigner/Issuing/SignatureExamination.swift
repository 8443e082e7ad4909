import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore

/// Examines a signature, with the ledger's memory of what was really signed where trying out does not explain it.
struct SignatureExamination: Sendable {
    let diagnosis: SignatureDiagnosis
    let ledger: any Ledger

    /// What is wrong; empty if nothing is.
    func findings(for presented: PresentedSignature, now: Instant) async throws(StoreError) -> [Finding] {
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
