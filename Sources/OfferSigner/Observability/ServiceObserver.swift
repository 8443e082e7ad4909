import EligibilityRules
import OfferHTTP
import OfferService
import OfferStore

/// Reports events to the log and to the metrics.
struct ServiceObserver: RequestObserver, IssueObserver {
    let log: RequestLog
    let metrics: ServiceMetrics
    let failures: FailureLog

    func didFinish(_ summary: RequestSummary) {
        log.write(summary)
        metrics.count(summary)
        // /readyz answers 503 without a problem, and reports its checks itself.
        guard let code = summary.problem, summary.status >= 500 || summary.failure != nil else { return }
        failures.note("a request failed", summary.failure ?? Failure(summary, code), requestID: summary.requestID)
    }

    func didSign(_ entry: LedgerEntry) {
        log.write(entry)
        metrics.countSignatures(entry.signatures.count, app: entry.partition.name, key: entry.keyID, outcome: "signed")
    }

    func didSign(against verdict: Verdict, partition: AppPartition) {
        metrics.countSignaturesAgainstAdvice(app: partition.name, code: verdict.reason.code)
    }

    func didAssign(_ assignments: [CampaignAssignment], partition: AppPartition) {
        // What testers meet does not count, because they are not customers.
        for assignment in assignments where assignment.rehearsal == nil {
            metrics.countAssignment(app: partition.name, campaign: assignment.campaignID, variant: assignment.variant)
        }
    }

    func didFindUnneeded(_ item: UnsignedOffer) {
        log.write(unneeded: item)
        metrics.countSignatures(1, app: item.partition.name, key: "", outcome: "not-needed")
    }

    func didRefuse(_ refusal: UnsignedOffer) {
        log.write(refusal: refusal)
        metrics.countSignatures(1, app: refusal.partition.name, key: "", outcome: refusal.verdict.reason.code)
    }
}

extension Failure {
    /// Describes a request that was refused before anything was tried, or whose failure has no further cause.
    fileprivate convenience init(_ summary: RequestSummary, _ code: String) {
        self.init(summary.status == 503 ? .load : .service, code, summary.reason ?? "")
    }
}
