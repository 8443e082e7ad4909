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
        metrics.countSignature(app: entry.bundleID, key: entry.keyID, outcome: "signed")
    }

    func didRefuse(_ refusal: RefusalRecord) {
        log.write(refusal)
        metrics.countSignature(app: refusal.bundleID, key: "", outcome: refusal.offer.code)
    }
}
