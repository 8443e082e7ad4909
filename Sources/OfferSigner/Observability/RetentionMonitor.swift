import OfferService
import OfferStore

/// Counts the App Store's requests in real time.
struct RetentionMonitor: RetentionObserver {
    let metrics: ServiceMetrics

    func didAnswer(_ outcome: RetentionOutcome, partition: AppPartition) {
        metrics.countRetentionAnswer(app: partition.name, outcome: outcome.rawValue)
    }

    func didFindUnrecognised(_ fields: [String], bundleID: String) {
        for field in fields { metrics.countUnrecognised(field: field, app: bundleID) }
    }
}
