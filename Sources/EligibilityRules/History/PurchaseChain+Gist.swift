extension PurchaseChain {
    /// The same chain with only those periods that can decide a question asked at `instant` or later.
    ///
    /// Some two of a dozen: what has ended can decide as the newest, as the first, or by the introductory offer it used.
    /// Every rule gives the same verdict on it, for a fraction of the reading.
    public func gist(from instant: Instant) -> PurchaseChain {
        var kept = Set<Int>()
        var products: [String] = []
        for (index, transaction) in transactions.enumerated() {
            if transaction.canStillRun(at: instant) { kept.insert(index) }
            // Where the catalogue has to tell the group, any of the products may be the one it knows.
            if groupID == nil, !products.contains(where: { $0.utf8.elementsEqual(transaction.productID.utf8) }) {
                products.append(transaction.productID)
                kept.insert(index)
            }
        }
        for isShared in [false, true] {
            let indices = transactions.indices.filter { transactions[$0].isFamilyShared == isShared }
            let periods = indices.filter { transactions[$0].expiry != nil }
            kept.formUnion([indices.first, indices.last, periods.first].compactMap(\.self))
            kept.formUnion([periods.first { transactions[$0].offer?.kind == .introductory }].compactMap(\.self))
            kept.formUnion([indices.first { transactions[$0].offer?.kind == .introductory }].compactMap(\.self))
            kept.formUnion([periods.first { transactions[$0].isSubscriptionPeriod }].compactMap(\.self))
            let begun = periods.filter { transactions[$0].purchasedAt <= instant }
            let newest = begun.max { transactions[$1].isNewer(than: transactions[$0]) }
            kept.formUnion([newest].compactMap(\.self))
        }
        var gist = with(transactions: kept.sorted().map { transactions[$0] })
        gist.isListedFromStart = showsFirstPeriod
        return gist
    }
}

extension PurchaseTransaction {
    /// Whether its period, or a part of it, lies at or after an instant.
    fileprivate func canStillRun(at instant: Instant) -> Bool {
        guard let expiry else { return false }
        return expiry.value > instant || purchasedAt > instant
    }
}
