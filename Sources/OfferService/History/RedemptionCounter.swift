package import EligibilityRules
package import OfferStore

/// Has limits count redemptions: those purchases of an app with an offer that are one, under their names.
package struct RedemptionCounter: Sendable {
    package let redemptions: any RedemptionStore
    let ledger: any Ledger
    let apps: AppDirectory
    package let system: SystemEnvironment

    /// Takes the values as they are.
    package init(redemptions: any RedemptionStore, ledger: any Ledger, apps: AppDirectory, system: SystemEnvironment) {
        self.redemptions = redemptions
        self.ledger = ledger
        self.apps = apps
        self.system = system
    }

    /// Counts up to `limit` redemptions that have come in and are not counted. Returns the number found.
    package func count(limit: Int) async throws(StoreError) -> Int {
        try await count(redemptions.uncounted(partition: nil, originalTransactionID: nil, limit: limit))
    }

    /// Counts the redemptions of purchases that were just stored, so that their supplier sees them counted at once.
    ///
    /// The background repeats what fails here.
    package func count(_ chains: [PurchaseChain], partition: AppPartition) async {
        let redeemed = chains.filter { $0.transactions.contains { $0.offer?.kind == .promotional } }
        guard !redeemed.isEmpty else { return }
        do throws(StoreError) {
            // Each may search a day of signatures, and a caller waits.
            _ = try await redemptions.tieRedemptions(limit: 2, now: system.now())
            for chain in redeemed.prefix(20) {
                _ = try await count(
                    redemptions.uncounted(partition: partition, originalTransactionID: chain.originalID, limit: 100))
            }
        } catch {}
    }

    /// Counts the redemptions of two customers that were just merged: either may have redeemed what was signed for the other.
    ///
    /// The background does what is left, and repeats what fails.
    package func countJoined() async {
        do throws(StoreError) {
            _ = try await redemptions.tieRedemptions(limit: 10, now: system.now())
            _ = try await count(limit: 100)
        } catch {}
    }

    private func count(_ uncounted: [UncountedRedemption]) async throws(StoreError) -> Int {
        guard !uncounted.isEmpty else { return 0 }
        try await ledger.count(uncounted.compactMap(counted))
        try await redemptions.noteCounted(uncounted)
        return uncounted.count
    }

    /// Nil if limits have nothing to count.
    private func counted(_ redemption: UncountedRedemption) -> CountedRedemption? {
        guard let transaction = redemption.transaction, transaction.isOwn, let offerID = transaction.offer?.id,
            !isInstalment(transaction, of: redemption)
        else { return nil }
        let chain = redemption.chain
        // Seats that were added to a period redeem nothing. A period is refunded once all of it is.
        guard let period = chain.withWholePeriods.transactions.first(where: { $0.hasID(transaction.id) }) else { return nil }
        let app = apps.app(partition: redemption.partition)
        let scope = LimitScope(
            bundleID: redemption.partition.bundleID,
            environment: chain.environment ?? app?.policy.environment ?? .production,
            productID: transaction.productID, offerID: offerID)
        let names = [LimitName(.subscription, chain.originalID), chain.appTransactionID.map { LimitName(.account, $0) }]
            .compactMap(\.self)
        return CountedRedemption(
            partition: redemption.partition, transactionID: redemption.transactionID, version: redemption.version,
            total: scope.text(of: .total), names: redemption.isCopy ? [] : names.map(scope.text),
            redeemedAt: transaction.purchasedAt, isRefunded: period.revokedAt != nil,
            nonce: redemption.isCopy ? nil : redemption.nonce)
    }

    /// Whether it renews an offer that is paid as one goes: the first period was the redemption.
    private func isInstalment(_ transaction: PurchaseTransaction, of redemption: UncountedRedemption) -> Bool {
        guard let offerID = transaction.offer?.id, let catalogue = apps.app(partition: redemption.partition)?.catalogue,
            catalogue.product(transaction.productID)?.promotionalOffers[ExactText(offerID)] != nil
        else { return false }
        return !redemption.chain.redemptions(in: catalogue).contains { ExactText($0.first.id) == ExactText(transaction.id) }
    }
}
