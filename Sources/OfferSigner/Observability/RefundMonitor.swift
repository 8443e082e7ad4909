import OfferService
import OfferStore

/// Counts what becomes of refund requests.
struct RefundMonitor: RefundObserver {
    let metrics: ServiceMetrics

    func didSettle(_ state: RefundState, partition: AppPartition) {
        metrics.countRefundRequest(app: partition.name, outcome: state.rawValue)
    }
}
