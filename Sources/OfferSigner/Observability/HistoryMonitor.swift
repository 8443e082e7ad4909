import AppStore
import Logging
import OfferService
import OfferStore

/// Counts unexpected facts about purchases, and warns of them.
struct HistoryMonitor: HistoryObserver {
    let metrics: ServiceMetrics
    let logger: Logger

    func didFindUnrecognised(_ fields: [String], bundleID: String) {
        for field in fields { metrics.countUnrecognised(field: field, app: bundleID) }
    }

    func didUnclaim(_ seats: UnclaimedSeats, bundleID: String) {
        logger.info(
            "the App Store has unclaimed seats of a subscription",
            metadata: [
                "app": "\(bundleID)", "subscription": "\(seats.originalTransactionID ?? "not named")",
                "seats": "\(seats.claimIDs.joined(separator: " "))",
            ])
    }

    func didFindDifference(_ difference: GroupDirectory.Difference, bundleID: String) {
        metrics.countGroupDifference(app: bundleID)
        logger.warning(
            "the App Store has a product in another subscription group than the catalogue; the App Store's is used",
            metadata: [
                "app": "\(bundleID)", "product": "\(difference.productID)",
                "catalogue": "\(difference.catalogueGroupID)", "appStore": "\(difference.groupID)",
            ])
    }
}

/// Counts what becomes of refund requests.
struct RefundMonitor: RefundObserver {
    let metrics: ServiceMetrics

    func didSettle(_ state: RefundState, partition: AppPartition) {
        metrics.countRefundRequest(app: partition.name, outcome: state.rawValue)
    }
}

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
