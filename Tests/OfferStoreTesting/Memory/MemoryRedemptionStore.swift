package import EligibilityRules
package import Foundation
package import OfferStore

/// Ties redemptions to the signatures of a ledger in memory.
package struct MemoryRedemptionStore: RedemptionStore {
    private let file: MemoryHistoryFile
    private let ledger: MemoryLedger

    /// - Parameter ledger: where the signatures are.
    package init(_ file: MemoryHistoryFile, signatures ledger: MemoryLedger) {
        self.file = file
        self.ledger = ledger
    }

    package func tieRedemptions(limit: Int, now: Instant) async throws(StoreError) -> (examined: Int, tied: Int) {
        let entries = ledger.entries
        return file.withRows { rows in
            let untied = rows.redemptions.filter { $0.value.nonce == nil && !$0.value.isSearched }
                .sorted { $0.value.record.purchasedAt < $1.value.record.purchasedAt }.prefix(limit)
            for (key, noted) in untied {
                let redeemed = Set(rows.redemptions.values.compactMap(\.nonce))
                let match = RedemptionMatch(noted, rows)
                rows.redemptions[key]?.isSearched = true
                rows.redemptions[key]?.nonce = entries.reversed().lazy.flatMap(match.nonces).first { !redeemed.contains($0) }
                if rows.redemptions[key]?.nonce != nil { rows.redemptions[key]?.version += 1 }
            }
            return (untied.count, untied.count { rows.redemptions[$0.key]?.nonce != nil })
        }
    }

    package func uncounted(
        partition: AppPartition?,
        originalTransactionID: String?,
        limit: Int
    ) async throws(StoreError) -> [UncountedRedemption] {
        file.withRows { rows in
            let uncounted = rows.redemptions.values.filter { noted in
                guard noted.counted != noted.version else { return false }
                guard let originalTransactionID else { return true }
                return rows.stored(Int(noted.chain), .whole).chain.originalID == originalTransactionID
                    && rows.apps[Int(noted.app)] == partition
            }
            return uncounted.sorted { $0.record.purchasedAt < $1.record.purchasedAt }.prefix(limit).map { noted in
                UncountedRedemption(
                    partition: rows.apps[Int(noted.app)], transactionID: noted.record.transactionID,
                    version: noted.version, nonce: noted.nonce, chain: rows.stored(Int(noted.chain), .whole).chain,
                    recorded: rows.redemptions.values.filter { $0.chain == noted.chain }.map(\.record.transactionID))
            }
        }
    }

    package func noteCounted(_ redemptions: [UncountedRedemption]) async throws(StoreError) {
        file.withRows { rows in
            for redemption in redemptions {
                guard let app = rows.existing(redemption.partition) else { continue }
                let key = HistoryKey(app, redemption.transactionID)
                guard rows.redemptions[key]?.version == redemption.version else { continue }
                rows.redemptions[key]?.counted = redemption.version
            }
        }
    }

    package func nonces(redeemedBy transactionIDs: [String], partition: AppPartition) async throws(StoreError) -> [ExactText:
        UUID]
    {
        var nonces: [ExactText: UUID] = [:]
        for id in transactionIDs { nonces[ExactText(id)] = try await nonce(redeemedBy: id, partition: partition) }
        return nonces
    }

    package func nonce(redeemedBy transactionID: String, partition: AppPartition) async throws(StoreError) -> UUID? {
        file.withRows { rows in
            rows.existing(partition).flatMap { rows.redemptions[HistoryKey($0, transactionID)]?.nonce }
        }
    }
}

extension RedemptionMatch {
    fileprivate init(_ noted: MemoryHistoryRows.NotedRedemption, _ rows: MemoryHistoryRows) {
        let stored = rows.stored(Int(noted.chain), .whole)
        self.init(
            noted.record, partition: rows.apps[Int(noted.app)], customerID: stored.customerID,
            appAccountToken: stored.chain.accountToken)
        add(transactionsOf: stored.chain)
        if let customerID {
            for other in rows.chains(HistoryKey(noted.app, customerID), \.owner?.customerID) { add(transactionsOf: other.chain) }
            aliases = rows.aliases(of: HistoryKey(noted.app, customerID))
        }
    }

    fileprivate func nonces(of entry: LedgerEntry) -> [UUID] {
        let isMatch = mayBeOf(
            partition: entry.partition, customerID: entry.request.customerID,
            applicationUsername: entry.request.applicationUsername,
            transactionID: entry.request.transactionID, signedAt: entry.signedAt)
        guard isMatch else { return [] }
        return entry.signatures.reversed().filter { isOf(productID: $0.productID, offerID: $0.offerID) }.map(\.nonce)
    }
}
