package import EligibilityRules
package import OfferStore

/// Refund requests that are forgotten with the process.
package struct MemoryRefundStore: RefundStore {
    private let file: MemoryHistoryFile

    /// What is in the file.
    package init(_ file: MemoryHistoryFile) { self.file = file }

    package func claim(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [RefundRecord] {
        file.withRows { rows in
            let due = rows.refunds.indices.filter { index in
                rows.refunds[index].partition == partition && rows.refunds[index].progress.dueAt.map { $0 <= now } ?? false
            }
            let first = due.sorted { rows.refunds[$0].progress.dueAt! < rows.refunds[$1].progress.dueAt! }.prefix(limit)
            return first.map { index in
                let record = rows.refunds[index]
                var progress = record.progress
                progress.dueAt = until
                rows.refunds[index] = record.with(progress)
                return record
            }
        }
    }

    package func note(_ progress: RefundProgress, of record: RefundRecord) async throws(StoreError) {
        file.withRows { rows in
            let index = rows.refunds.firstIndex {
                $0.partition == record.partition && $0.request.notification == record.request.notification
            }
            guard let index, rows.refunds[index].progress.state == .waiting else { return }
            rows.refunds[index] = rows.refunds[index].with(progress)
        }
    }

    package func requests(
        partition: AppPartition,
        transactionIDs: [String]?,
        limit: Int
    ) async throws(StoreError) -> [RefundRecord] {
        file.withRows { rows in
            let found = rows.refunds.filter { record in
                record.partition == partition
                    && transactionIDs.map { $0.contains { ExactText($0) == ExactText(record.request.transactionID) } } ?? true
            }
            return Array(found.sorted { $0.request.requestedAt > $1.request.requestedAt }.prefix(limit))
        }
    }

    package func state(
        _ consent: ConsumptionConsent,
        of customerID: String,
        partition: AppPartition
    ) async throws(StoreError) {
        file.withRows { rows in rows.consents[HistoryKey(rows.number(ofApp: partition), customerID)] = consent }
    }

    package func consent(of names: [String], partition: AppPartition) async throws(StoreError) -> ConsumptionConsent? {
        file.withRows { rows in
            guard let app = rows.existing(partition) else { return nil }
            return ConsumptionConsent.latest(of: names.compactMap { rows.consents[HistoryKey(app, $0)] })
        }
    }
}

extension RefundRecord {
    fileprivate func with(_ progress: RefundProgress) -> RefundRecord {
        RefundRecord(partition: partition, request: request, progress: progress)
    }
}
