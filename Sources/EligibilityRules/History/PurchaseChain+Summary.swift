extension PurchaseChain {
    /// Returns the chain with only those periods that can decide a verdict at `instant` or later.
    ///
    /// Every rule gives the same verdict on the summary as on the whole chain, but has less to read: about two periods of a
    /// dozen remain. A period that has ended can still decide if it is the newest or the first, if it used an introductory offer,
    /// or if it has a value that is not recognised.
    public func summary(from instant: Instant) -> PurchaseChain {
        if transactions.contains(where: \.sharesPeriod) { return withWholePeriods.summary(from: instant) }
        var kept = Set<Int>()
        var products: [String] = []
        for (index, transaction) in transactions.enumerated() {
            if transaction.canStillRun(at: instant) { kept.insert(index) }
            // If only the catalogue can name the group, one period of each product is kept: it may know one of the products only.
            if groupID == nil, !products.contains(where: { $0.utf8.elementsEqual(transaction.productID.utf8) }) {
                products.append(transaction.productID)
                kept.insert(index)
            }
        }
        for owner in Owner.allCases {
            let indices = transactions.indices.filter { transactions[$0].owner == owner }
            let periods = indices.filter { transactions[$0].expiry != nil }
            kept.formUnion([indices.first, indices.last, periods.first].compactMap(\.self))
            kept.formUnion([periods.first { transactions[$0].offer?.kind == .introductory }].compactMap(\.self))
            kept.formUnion([indices.first { transactions[$0].offer?.kind == .introductory }].compactMap(\.self))
            kept.formUnion([periods.first { transactions[$0].isSubscriptionPeriod }].compactMap(\.self))
            kept.formUnion([indices.first { transactions[$0].isDoubtfulSubscription }].compactMap(\.self))
            kept.formUnion([indices.first { transactions[$0].offer?.kind == .unrecognised }].compactMap(\.self))
        }
        // The state of a subscription distinguishes only between periods that the customer bought and others.
        for isOwn in [false, true] {
            let begun = transactions.indices.filter {
                transactions[$0].isOwn == isOwn && transactions[$0].expiry != nil && transactions[$0].purchasedAt <= instant
            }
            let newest = begun.max { transactions[$1].isNewer(than: transactions[$0]) }
            kept.formUnion([newest].compactMap(\.self))
        }
        var summary = with(transactions: kept.sorted().map { transactions[$0].summary })
        summary.isListedFromStart = showsFirstPeriod
        summary.renewal = renewal.map { Stamped($0.value.summary, $0.stamp) }
        return summary
    }

    /// By whom a transaction was paid.
    enum Owner: CaseIterable {
        case customer, family, organisation, unrecognised
    }
}

extension PurchaseTransaction {
    /// Whether the period ends or begins after an instant.
    fileprivate func canStillRun(at instant: Instant) -> Bool {
        guard let expiry else { return false }
        return expiry.value > instant || purchasedAt > instant
    }

    /// By whom the transaction was paid; the customer if no source says.
    var owner: PurchaseChain.Owner {
        switch ownership {
        case nil, .purchased: .customer
        case .familyShared: .family
        case .assigned: .organisation
        case .unrecognised: .unrecognised
        }
    }

    /// The transaction without the values that decide no verdict: other ids, the order and the price.
    var summary: PurchaseTransaction {
        PurchaseTransaction(
            id: id, productID: productID, purchasedAt: purchasedAt, kind: kind, ownership: ownership,
            terms: Terms(offer: offer),
            course: Course(isUpgraded: isUpgraded, isRenewal: isRenewal, sharesPeriod: sharesPeriod),
            state: State(expiry: expiry, revocation: revocation, cancellation: cancellation))
    }
}
