extension PurchaseChain {
    /// The transactions of each period: the one that began it, followed by those that added seats to it.
    public var periods: [[PurchaseTransaction]] {
        var periods: [[PurchaseTransaction]] = []
        for transaction in transactions {
            // A later period of the same owner ends the previous one.
            let last = periods.lastIndex { $0[0].owner == transaction.owner }
            if let last, transaction.sharesPeriod, periods[last].contains(where: transaction.isAddition) {
                periods[last].append(transaction)
            } else {
                periods.append([transaction])
            }
        }
        return periods
    }

    /// The chain with one transaction for each period, into which those that added seats are merged.
    public var withWholePeriods: PurchaseChain {
        guard sharesPeriods else { return self }
        var whole = with(transactions: periods.map(PurchaseTransaction.init(whole:)))
        whole.isListedFromStart = showsFirstPeriod
        return whole
    }

    /// Returns the chains with one transaction for each period.
    ///
    /// Usually no period has several; then the list itself is returned, without a copy.
    static func withWholePeriods(_ chains: [PurchaseChain]) -> [PurchaseChain] {
        chains.contains(where: \.sharesPeriods) ? chains.map(\.withWholePeriods) : chains
    }

    private var sharesPeriods: Bool { transactions.contains(where: \.sharesPeriod) }
}

extension PurchaseTransaction {
    /// Merges the transactions of a period into one.
    ///
    /// It counts as revoked if all transactions of the period are known to be revoked.
    fileprivate init(whole period: [PurchaseTransaction]) {
        self = period[0]
        guard sharesPeriod || period.count > 1 else { return }
        sharesPeriod = false
        let revoked = period.compactMap(\.revokedAt)
        // If only one transaction of a shared period is known, there is another one that no source has shown.
        let isRevoked = revoked.count == period.count && period.count > 1
        revocation = (revocation?.stamp ?? cancellation?.stamp).map {
            Stamped(isRevoked ? .revoked(at: revoked.max()!) : .none, $0)
        }
        cancellation = nil
        expiry = period.reduce(nil) { $0.merged(with: $1.expiry) }
        sale = Sale(ofPeriod: period)
        let offers = period.compactMap(\.offer)
        offer = offers.first { $0.kind == .introductory } ?? offers.first
    }

    /// Whether the transaction added seats to the period of another one.
    fileprivate func isAddition(to other: PurchaseTransaction) -> Bool {
        guard !isRenewal, isSubscriptionPeriod, offer?.kind != .unrecognised, other.isSubscriptionPeriod,
            let end = other.expiry?.value
        else { return false }
        return purchasedAt < min(end, other.revokedAt ?? end) && ExactText(productID) == ExactText(other.productID)
    }
}

extension Sale {
    /// Takes the sale of the period's first transaction, with the sums of what all transactions charged and refunded.
    fileprivate init?(ofPeriod period: [PurchaseTransaction]) {
        guard let first = period[0].sale ?? period.lazy.compactMap(\.sale).first else { return nil }
        let sums = period.map { Sale.sums(of: $0) }
        let isKnown = sums.allSatisfy { $0 != nil } && Set(period.map { $0.sale?.currency }).count == 1
        let (charged, left) = sums.reduce((0, 0)) { ($0.0 + ($1?.charged ?? 0), $0.1 + ($1?.left ?? 0)) }
        let stamp = period.compactMap { $0.sale?.refund?.stamp ?? $0.revocation?.stamp ?? $0.cancellation?.stamp }.max()
        self.init(
            price: first.price, currency: first.currency, storefront: first.storefront, discount: first.discount,
            seats: isKnown ? .charged(charged) : .unknown,
            refund: isKnown && left < charged ? stamp.map { Stamped(.part(charged - left, of: charged), $0) } : nil)
    }

    /// Returns what a transaction charged, and what is left of that after refunds; nil if either is not known.
    private static func sums(of transaction: PurchaseTransaction) -> (charged: Int64, left: Int64)? {
        guard let sale = transaction.sale, let charged = sale.isFree ? 0 : sale.charged else { return nil }
        switch transaction.paid() {
        case .unknown: return nil
        case let paid: return (charged, paid.thousandths!)
        }
    }
}
