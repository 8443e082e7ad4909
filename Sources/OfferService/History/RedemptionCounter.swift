package import EligibilityRules
package import OfferStore

/// Counts redemptions towards limits.
///
/// It decides which purchases with an offer are redemptions, and under which names they count: the subscription and the Apple
/// account.
package struct RedemptionCounter: Sendable {
    // Only a few at a time, because signatures wait while they are written.
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

    /// Counts up to `limit` redemptions that were not counted yet. Returns how many it has found.
    package func count(limit: Int) async throws(StoreError) -> Int {
        try await count(redemptions.uncounted(partition: nil, originalTransactionID: nil, limit: limit))
    }

    /// Counts the redemptions among purchases that were just stored, so that the caller who supplied them finds them counted at
    /// once.
    ///
    /// If this fails, `RedemptionMatcher` counts them later in the background.
    package func count(_ chains: [PurchaseChain], partition: AppPartition) async {
        let redeemed = chains.filter { $0.transactions.contains { $0.offer?.kind == .promotional } }
        guard !redeemed.isEmpty else { return }
        do throws(StoreError) {
            // The limit is 2, because each redemption may need a search through a day of signatures while a caller waits.
            _ = try await redemptions.tieRedemptions(limit: 2, now: system.now())
            for chain in redeemed.prefix(20) {
                _ = try await count(
                    redemptions.uncounted(partition: partition, originalTransactionID: chain.originalID, limit: 100))
            }
        } catch {}
    }

    /// Counts the redemptions of two customers who were just merged.
    ///
    /// Each of them may have redeemed offers that were signed for the other.
    /// `RedemptionMatcher` counts the rest in the background, and also whatever fails here.
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

    /// Returns nil if the transaction is not a redemption that limits count.
    private func counted(_ redemption: UncountedRedemption, _ redeemed: RedeemedChain, _ app: App?) -> CountedRedemption? {
        let id = ExactText(redemption.transactionID)
        // Seats that were added to a period redeem no offer. A period counts as refunded when all its seats are refunded.
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

    /// Whether the transaction is a later period of a pay-as-you-go offer.
    ///
    /// Only the first period of such an offer is the redemption.
    private func isInstalment(_ transaction: PurchaseTransaction, of redeemed: RedeemedChain, _ app: App?) -> Bool {
        guard let offerID = transaction.offer?.id,
            app?.catalogue.product(transaction.productID)?.promotionalOffers[ExactText(offerID)] != nil
        else { return false }
        return !redeemed.firsts.contains(ExactText(transaction.id))
    }
}

/// The transactions of a purchase chain, which can be looked up by each of their ids.
///
/// A look-up by id is needed, because a chain may have thousands of transactions, and each may be a redemption.
private struct RedeemedChain {
    let transactions: [ExactText: PurchaseTransaction]
    /// The whole periods, each under the ids of the transactions that began it.
    let periods: [ExactText: PurchaseTransaction]
    /// The ids of the first transaction of each redemption.
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
