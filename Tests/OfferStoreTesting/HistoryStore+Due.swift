package import EligibilityRules
package import OfferStore

extension HistoryStore {
    /// Subscriptions of an app that are due to be asked about, the longest due first; they stay due.
    package func dueForPolling(partition: AppPartition, now: Instant, limit: Int) async throws(StoreError) -> [PollTarget] {
        let due = try await claimForPolling(partition: partition, dueAt: now, until: now, limit: limit)
        for target in due { try await schedulePolling(of: target, at: target.dueAt) }
        return due
    }
}
