import EligibilityRules
import OfferStore

/// Sends what happens to the log and to the metrics.
struct ServiceObserver: RequestObserver, IssueObserver {
    let log: RequestLog
    let metrics: ServiceMetrics

    func didFinish(_ record: RequestRecord) {
        log.write(record)
        metrics.count(record)
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
