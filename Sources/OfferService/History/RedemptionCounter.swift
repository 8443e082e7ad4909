package import EligibilityRules
package import OfferStore

/// Has limits count redemptions: those purchases of an app with an offer that are one, under their names.
package struct RedemptionCounter: Sendable {
    // Short writes, because signatures wait for them.
    private static let writtenAtOnce = 100

    package let redemptions: any RedemptionStore
    let ledger: any Ledger
    let apps: AppDirectory
    package let system: SystemEnvironment

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
        var chains: [String: RedeemedChain] = [:]
        for start in stride(from: 0, to: uncounted.count, by: Self.writtenAtOnce) {
            let part = Array(uncounted[start..<min(start + Self.writtenAtOnce, uncounted.count)])
            var counted: [CountedRedemption] = []
            for redemption in part {
                let name = "\(redemption.partition.name)\0\(redemption.chain.originalID)"
                let app = apps.app(partition: redemption.partition)
                let chain = chains[name] ?? RedeemedChain(redemption.chain, app?.catalogue)
                chains[name] = chain
                if let found = self.counted(redemption, chain, app) { counted.append(found) }
            }
            try await ledger.count(counted)
            try await redemptions.noteCounted(part)
        }
        return uncounted.count
    }

    /// Nil if limits have nothing to count.
    private func counted(_ redemption: UncountedRedemption, _ redeemed: RedeemedChain, _ app: App?) -> CountedRedemption? {
        let id = ExactText(redemption.transactionID)
        // Seats that were added to a period redeem nothing. A period is refunded once all of it is.
        guard let transaction = redeemed.transactions[id], transaction.isOwn, let offerID = transaction.offer?.id,
            let period = redeemed.periods[id], !isInstalment(transaction, of: redeemed, app)
        else { return nil }
        let chain = redemption.chain
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
    private func isInstalment(_ transaction: PurchaseTransaction, of redeemed: RedeemedChain, _ app: App?) -> Bool {
        guard let offerID = transaction.offer?.id,
            app?.catalogue.product(transaction.productID)?.promotionalOffers[ExactText(offerID)] != nil
        else { return false }
        return !redeemed.firsts.contains(ExactText(transaction.id))
    }
}

/// The transactions of a chain by each of their ids: it may have thousands, and each of them may be a redemption.
private struct RedeemedChain {
    let transactions: [ExactText: PurchaseTransaction]
    /// The transactions that began a period, as the whole period.
    let periods: [ExactText: PurchaseTransaction]
    /// The first transactions of redemptions.
    let firsts: Set<ExactText>

    init(_ chain: PurchaseChain, _ catalogue: Catalogue?) {
        func byID(_ transactions: [PurchaseTransaction]) -> [ExactText: PurchaseTransaction] {
            Dictionary(transactions.flatMap { each in each.ids.map { (ExactText($0), each) } }) { first, _ in first }
        }
        transactions = byID(chain.transactions)
        periods = byID(chain.withWholePeriods.transactions)
        firsts = Set((catalogue.map(chain.redemptions(in:)) ?? []).map { ExactText($0.first.id) })
    }
}
