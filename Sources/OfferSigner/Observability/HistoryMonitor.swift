import AppStore
import Logging
import OfferService

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
