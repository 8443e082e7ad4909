package import OfferStore

extension HistoryStore {
    /// The notifications of a subscription, in the order received, each with its content.
    package func wholeNotifications(
        partition: AppPartition,
        originalTransactionID: String
    ) async throws(StoreError) -> [NotificationRecord] {
        var whole: [NotificationRecord] = []
        for record in try await notifications(partition: partition, originalTransactionID: originalTransactionID) {
            whole.append(
                NotificationRecord(
                    key: record.key, version: record.version, type: record.type, subtype: record.subtype,
                    originalTransactionID: record.originalTransactionID,
                    body: try await notificationBody(key: record.key, partition: partition), receivedAt: record.receivedAt))
        }
        return whole
    }
}
