package import EligibilityRules
package import OfferStore

/// Histories that are forgotten with the process.
package final class MemoryHistoryStore: HistoryStore {
    private let file: MemoryHistoryFile

    /// What is in the file.
    package init(_ file: MemoryHistoryFile) { self.file = file }

    package func isEmpty() async throws(StoreError) -> Bool { file.withRows(\.apps.isEmpty) }

    package func find(_ queries: [HistoryQuery], completion: @escaping Found) {
        completion(.success(file.withRows { rows in queries.map { MemoryHistoryStore.record(of: $0, rows) } }))
    }

    private static func record(of query: HistoryQuery, _ rows: MemoryHistoryRows) -> HistoryRecord {
        guard !query.isWhole else { return HistoryRecord(history(of: query, .whole, rows)) }
        guard let customerID = query.customerAlone else { return HistoryRecord(history(of: query, .summary, rows)) }
        return rows.existing(query.partition).flatMap { rows.record(customerID, app: $0) } ?? HistoryRecord(.unknown)
    }

    package func wholeHistory(of query: HistoryQuery) async throws(StoreError) -> StoredHistory {
        file.withRows { MemoryHistoryStore.history(of: query, .whole, $0) }
    }

    private static func history(
        of query: HistoryQuery,
        _ extent: StoredChain.Extent,
        _ rows: MemoryHistoryRows
    ) -> StoredHistory {
        guard let app = rows.existing(query.partition) else { return .unknown }
        let query = query.renamed { rows.customer(named: $0, app: app) }
        func chains(where isMeant: (ChainRow) -> Bool) -> [StoredChain] {
            rows.numbers(app) { ($0.isSubscription || extent == .whole) && isMeant($0) }.map { rows.stored($0, extent) }
        }
        let number = query.transactionID.flatMap { rows.number(ofTransaction: $0, app: app) }
        var search = HistorySearch(query, extent, transaction: number.map { rows.stored($0, extent) })
        let own = search.customerID.flatMap { rows.record($0, app: app) }.map(HistoryDecoder().history) ?? .unknown
        if let customerID = search.customerID, extent == .whole {
            search.add(ofCustomer: chains { ($0.owner?.customerID).isExactly(customerID) })
        }
        if let token = search.token {
            search.add(ofToken: chains { $0.chain.accountToken.isExactly(token) })
        }
        for account in search.accounts {
            search.add(ofAccount: chains { $0.chain.appTransactionID.isExactly(account) })
        }
        return search.history(own: own)
    }

    package func apply(_ changes: [HistoryChange], completion: @escaping Completion) {
        do {
            completion(.success(try file.merge { try $0.apply([changes])[0] }))
        } catch {
            completion(.failure(error))
        }
    }

    package func bind(
        originalTransactionID: String,
        to claim: CustomerClaim,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try file.merge { try $0.bind(originalTransactionID, to: claim, partition: partition, now: now) }
    }

    package func join(
        alias: String,
        into customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> JoiningOutcome {
        try file.merge { try $0.join(alias, into: customerID, partition: partition, now: now) }
    }

    package func aliases(of customerID: String, partition: AppPartition) async throws(StoreError) -> [String] {
        file.withRows { rows in
            guard let app = rows.existing(partition) else { return [] }
            let customer = rows.customer(named: customerID, app: app)
            return ([customer] + rows.aliases(of: HistoryKey(app, customer))).filter { ExactText($0) != ExactText(customerID) }
                .sorted()
        }
    }

    package func customers(named names: [String], partition: AppPartition) async throws(StoreError) -> [String] {
        file.withRows { rows in
            guard let app = rows.existing(partition) else { return names }
            return names.map { rows.customer(named: $0, app: app) }
        }
    }

    package func unbind(
        originalTransactionID: String,
        from customerID: String,
        partition: AppPartition,
        now: Instant
    ) async throws(StoreError) -> BindingOutcome {
        try file.merge { try $0.unbind(originalTransactionID, from: customerID, partition: partition, now: now) }
    }

    package func erase(customerID: String, partition: AppPartition, now: Instant) async throws(StoreError) -> ErasedHistory {
        try file.erase(customerID: customerID, partition: partition, at: now)
    }

    package func claimForPolling(
        partition: AppPartition,
        dueAt now: Instant,
        until: Instant,
        limit: Int
    ) async throws(StoreError) -> [PollTarget] {
        file.withRows { rows in
            let app = rows.existing(partition)
            let due = rows.chains.indices.filter {
                rows.chains[$0].app == app && rows.chains[$0].pollAt.map { $0 <= now } ?? false
            }
            return due.sorted { rows.chains[$0].pollAt! < rows.chains[$1].pollAt! }.prefix(limit).map { number in
                defer { rows.chains[number].pollAt = until }
                let chain = rows.chains[number]
                return PollTarget(
                    partition: partition, originalTransactionID: chain.row.chain.originalID, dueAt: chain.pollAt!)
            }
        }
    }

    package func schedulePolling(of target: PollTarget, at instant: Instant?) async throws(StoreError) {
        schedule(target) { _ in instant }
    }

    package func scheduleNextPolling(of target: PollTarget, askedAt instant: Instant) async throws(StoreError) {
        schedule(target) { $0.nextPoll(askedAt: instant) }
    }

    private func schedule(_ target: PollTarget, at next: (StoredChain) -> Instant?) {
        file.withRows { rows in
            guard let app = rows.existing(target.partition),
                let number = rows.numbers(app, where: { $0.chain.originalID == target.originalTransactionID }).first
            else { return }
            rows.chains[number].pollAt = next(rows.stored(number, .whole))
        }
    }

    package func seenGroups(partition: AppPartition) async throws(StoreError) -> [ExactText: String] {
        file.withRows { rows in
            let app = rows.existing(partition)
            return rows.groups.reduce(into: [:]) { if $1.key.app == app { $0[$1.key.text] = $1.value.groupID } }
        }
    }

    package func hasNotification(key: [UInt8], partition: AppPartition) async throws(StoreError) -> Bool {
        file.withRows { rows in
            let app = rows.existing(partition)
            return rows.notifications.contains { $0.app == app && $0.record.key == key }
        }
    }

    package func blankNotifications(servedSince age: Int64, of total: Int64, limit: Int) async throws(StoreError) -> Int {
        file.withRows { $0.blankNotifications(servedSince: age, of: total, limit: limit) }
    }

    package func notifications(
        partition: AppPartition,
        originalTransactionID: String
    ) async throws(StoreError) -> [NotificationRecord] {
        file.withRows { rows in
            let app = rows.existing(partition)
            let own = rows.notifications.filter {
                $0.app == app && $0.record.originalTransactionID.isExactly(originalTransactionID)
            }
            return own.map(\.record.blank).sorted { $0.receivedAt < $1.receivedAt }
        }
    }

    package func notificationBody(key: [UInt8], partition: AppPartition) async throws(StoreError) -> [UInt8] {
        file.withRows { rows in
            let app = rows.existing(partition)
            return rows.notifications.first { $0.app == app && $0.record.key == key }?.record.body ?? []
        }
    }
}
