package import OfferStore

/// Receives what becomes of refund requests, for metrics.
package protocol RefundObserver: Sendable {
    /// A request was settled.
    func didSettle(_ state: RefundState, partition: AppPartition)
}
