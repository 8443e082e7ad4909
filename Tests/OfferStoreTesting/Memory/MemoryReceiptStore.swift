package import EligibilityRules
package import OfferStore

/// Receipts that are forgotten with the process.
package struct MemoryReceiptStore: ReceiptStore {
    private let file: MemoryHistoryFile

    /// What is in the file.
    package init(_ file: MemoryHistoryFile) { self.file = file }

    package func keep(_ receipt: UnverifiedReceipt, limit: Int) async throws(StoreError) {
        file.withRows { rows in
            let app = rows.number(ofApp: receipt.partition)
            let name = ReceiptName.unverified(receipt.digest)
            let record = ReceiptRecord(
                partition: receipt.partition, name: name, customerID: receipt.customerID, sealed: receipt.sealed,
                keptAt: receipt.keptAt, failures: 1, reason: receipt.reason)
            rows.receipts[.init(app: app, name: name)] = .init(
                record: record,
                state: ReceiptState(
                    shownAt: receipt.keptAt, verifiedAt: nil, dueAt: receipt.dueAt, reason: receipt.reason))
            let all = rows.receipts.filter { $0.key.app == app && $0.key.name.isUnverified }
            let oldest = all.sorted { $0.value.record.keptAt < $1.value.record.keptAt }
            for (key, _) in oldest.prefix(max(0, all.count - limit)) { rows.receipts[key] = nil }
        }
    }

    package func claim(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [ReceiptRecord] {
        file.withRows { rows in
            let app = rows.existing(partition)
            let due = rows.receipts.filter { $0.key.app == app && $0.value.state.dueAt.map { $0 <= now } ?? false }
            let first = due.sorted { $0.value.state.dueAt! < $1.value.state.dueAt! }.prefix(limit)
            for (key, _) in first { rows.schedule(key, at: until) }
            return first.map(\.value.record)
        }
    }

    package func note(_ failure: ReceiptFailure, of record: ReceiptRecord) async throws(StoreError) {
        file.withRows { rows in
            guard let app = rows.existing(record.partition) else { return }
            let key = MemoryHistoryRows.ReceiptKey(app: app, name: record.name)
            guard let known = rows.receipts[key], known.record.keptAt == record.keptAt else { return }
            rows.receipts[key] = .init(
                record: ReceiptRecord(
                    partition: record.partition, name: record.name, customerID: known.record.customerID,
                    sealed: known.record.sealed, keptAt: record.keptAt, failures: failure.failures, reason: failure.reason),
                state: ReceiptState(
                    shownAt: known.state.shownAt, verifiedAt: known.state.verifiedAt, dueAt: failure.dueAt,
                    reason: failure.reason))
        }
    }

    package func remove(_ name: ReceiptName, partition: AppPartition) async throws(StoreError) {
        file.withRows { rows in
            guard let app = rows.existing(partition) else { return }
            rows.receipts[.init(app: app, name: name)] = nil
        }
    }

    package func forget(_ ids: Set<String>, partition: AppPartition) async throws(StoreError) -> Int {
        file.withRows { rows in
            guard let app = rows.existing(partition) else { return 0 }
            var chains = ids.compactMap { rows.number(ofTransaction: $0, app: app) }.map { rows.chains[$0].row.chain.originalID }
            chains += rows.numbers(app) { row in
                [row.owner?.customerID, row.chain.appAccountToken?.value.string].contains { $0.map(ids.contains) ?? false }
            }.map { rows.chains[$0].row.chain.originalID }
            let names = Set((ids + chains).map { ReceiptName.subscription($0) })
            let meant = rows.receipts.filter { key, receipt in
                key.app == app && (names.contains(key.name) || receipt.record.customerID.map(ids.contains) ?? false)
            }
            for key in meant.keys { rows.receipts[key] = nil }
            return meant.count
        }
    }

    package func pruneUnverified(before instant: Instant, limit: Int) async throws(StoreError) -> Int {
        file.withRows { rows in
            let old = rows.receipts.filter { $0.key.name.isUnverified && $0.value.record.keptAt < instant }.keys.prefix(limit)
            for key in old { rows.receipts[key] = nil }
            return old.count
        }
    }

    package func counts() async throws(StoreError) -> [ReceiptCount] {
        file.withRows { rows in
            let groups = Dictionary(grouping: rows.receipts.values) { [$0.record.partition.name, $0.record.reason ?? ""] }
            return groups.values
                .map { ReceiptCount(partition: $0[0].record.partition, reason: $0[0].record.reason, count: $0.count) }
                .sorted { ($0.partition.name, $0.reason ?? "") < ($1.partition.name, $1.reason ?? "") }
        }
    }

    package func counts(byPrefix length: Int) async throws(StoreError) -> [[UInt8]: Int] {
        file.withRows { rows in
            Dictionary(rows.receipts.values.map { (Array($0.record.sealed.prefix(length)), 1) }, uniquingKeysWith: +)
        }
    }
}
