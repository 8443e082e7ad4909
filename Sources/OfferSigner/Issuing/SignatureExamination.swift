import Dispatch
import EligibilityRules
import FoundationEssentials
import OfferSigning
import OfferStore
import Synchronization

/// Examines signatures, with the ledger's memory of what was really signed where trying out does not explain one.
///
/// An examination may take a tenth of a second: one after the other, on a thread of its own, so that the system shares the cores between
/// that and all else that is asynchronous here. So many wait at most.
final class SignatureExamination: Sendable {
    private static let mostAtOnce = 32

    private let ledger: any Ledger
    private let queue = DispatchQueue(label: "examination")
    private let underWay = Atomic(0)

    init(ledger: any Ledger) { self.ledger = ledger }

    /// What is wrong; empty if nothing is.
    func findings(
        for presented: PresentedSignature,
        by diagnosis: SignatureDiagnosis,
        now: Instant
    ) async throws -> [Finding] {
        defer { underWay.subtract(1, ordering: .relaxed) }
        guard underWay.add(1, ordering: .relaxed).newValue <= Self.mostAtOnce else {
            throw IssueError.notReady("too many signatures are examined at once", of: .load)
        }
        let findings = await examine(presented, by: diagnosis, now)
        guard findings.contains(where: { $0.code == .notOurs }), let nonce = UUID(text: presented.nonce),
            let entry = try await ledger.entry(nonce: nonce), entry.bundleID == presented.bundleID,
            let signed = entry.applicationUsername,
            !signed.utf8.elementsEqual(presented.applicationUsername.utf8)
        else { return findings }
        // Whoever holds the right signature proves it by its verifying under the recorded name.
        let corrected = await examine(presented.with(applicationUsername: signed), by: diagnosis, now)
        guard !corrected.contains(where: { $0.code == .notOurs }) else { return findings }
        return corrected + [.difference(signed: signed, passed: presented.applicationUsername)]
    }

    private func examine(
        _ presented: PresentedSignature,
        by diagnosis: SignatureDiagnosis,
        _ now: Instant
    ) async -> [Finding] {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: diagnosis.findings(for: presented, now: now.milliseconds)) }
        }
    }
}
