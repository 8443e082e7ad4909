package import OfferStore

/// Receives the outcomes of refund requests, for metrics.
package protocol RefundObserver: Sendable {
    /// A refund request has reached its final state.
    func didSettle(_ state: RefundState, partition: AppPartition)
}
