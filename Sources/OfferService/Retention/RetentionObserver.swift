package import OfferStore

/// Is told of what the App Store asks in real time, for metrics and the log.
package protocol RetentionObserver: Sendable {
    /// A question was answered.
    func didAnswer(_ outcome: RetentionOutcome, partition: AppPartition)

    /// There are fields that nobody knew when this was written.
    func didFindUnrecognised(_ fields: [String], bundleID: String)
}
