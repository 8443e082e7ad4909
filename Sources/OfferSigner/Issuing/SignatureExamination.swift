import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore
import WireText

/// Examines signatures, with the ledger's memory of what was really signed where trying out does not explain one.
struct SignatureExamination: Sendable {
    let ledger: any Ledger
    /// An examination may take a tenth of a second: one thread, so that they come one after the other.
    let executor = BoundedExecutor(
        threads: 1, most: 32, niceness: 10,
        refusal: IssueError.notReady("too many signatures are examined at once", of: .load))

    /// What is wrong; empty if nothing is. To be run on the executor.
    func findings(
        for presented: PresentedSignature,
        by diagnosis: SignatureDiagnosis,
        now: Instant
    ) async throws -> [Finding] {
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
