import EligibilityRules
import OfferHTTP
import OfferService
import OfferStore

/// Sends what happens to the log and to the metrics.
struct ServiceObserver: RequestObserver, IssueObserver {
    let log: RequestLog
    let metrics: ServiceMetrics
    let failures: FailureLog

    func didFinish(_ record: RequestRecord) {
        log.write(record)
        metrics.count(record)
        // /readyz answers 503 without a problem, and has told of its checks itself.
        guard let code = record.problem, record.status >= 500 || record.failure != nil else { return }
        failures.note("a request failed", record.failure ?? Failure(record, code), requestID: record.requestID)
    }

    func didSign(_ entry: LedgerEntry) {
        log.write(entry)
        metrics.countSignatures(entry.signatures.count, app: entry.bundleID, key: entry.keyID, outcome: "signed")
    }

    func didSign(against verdict: Verdict, bundleID: String) {
        metrics.countSignaturesAgainstAdvice(app: bundleID, code: verdict.reason.code)
    }

    func didFindUnneeded(_ item: RefusalRecord) {
        log.write(item, as: "not-needed")
        metrics.countSignatures(1, app: item.bundleID, key: "", outcome: "not-needed")
    }

    func didRefuse(_ refusal: RefusalRecord) {
        log.write(refusal)
        metrics.countSignatures(1, app: refusal.bundleID, key: "", outcome: refusal.verdict.reason.code)
    }
}

extension Failure {
    /// Of a request that was turned away before anything was tried, or that nobody knows more of.
    fileprivate convenience init(_ record: RequestRecord, _ code: String) {
        self.init(record.status == 503 ? .load : .service, code, record.reason ?? "")
    }
}
