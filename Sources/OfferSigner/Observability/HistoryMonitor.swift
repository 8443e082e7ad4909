import Logging
import OfferService

/// Counts what of purchases is not as expected, and warns of it.
struct HistoryMonitor: HistoryObserver {
    let metrics: ServiceMetrics
    let logger: Logger

    func didFindUnrecognised(_ fields: [String], bundleID: String) {
        for field in fields { metrics.countUnrecognised(field: field, app: bundleID) }
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
