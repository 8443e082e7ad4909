package import OfferStore

/// Receives the outcomes of refund requests, for metrics.
package protocol RefundObserver: Sendable {
    /// A request was settled.
    func didSettle(_ state: RefundState, partition: AppPartition)
}
