import EligibilityRules
import OfferService

extension StoreExamination {
    /// The latest signature and the verdict on the audit log.
    var summary: String { "latest signature: \(latest?.iso8601 ?? "none")\n\(verdict.summary)" }

    /// Prints what was restored, and what is left to do.
    func report() {
        print("restored; latest signature: \(latest?.iso8601 ?? "none"); accepted as now: \(at.iso8601)")
        print("What was done later is not in it. Revoke again the access keys and signing keys that were revoked since.")
    }
}
