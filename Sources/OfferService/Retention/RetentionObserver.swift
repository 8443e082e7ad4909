package import OfferStore

/// Receives what the App Store asks in real time, for metrics and the log.
package protocol RetentionObserver: Sendable {
    /// A request was answered.
    func didAnswer(_ outcome: RetentionOutcome, partition: AppPartition)

    /// There are fields that this version does not know.
    func didFindUnrecognised(_ fields: [String], bundleID: String)
}
