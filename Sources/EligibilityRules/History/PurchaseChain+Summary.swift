extension PurchaseChain {
    /// Returns the chain with only those periods that can decide a question asked at `instant` or later.
    ///
    /// It keeps about two of a dozen. An ended period can decide as the newest, as the first, by its introductory offer,
    /// or by a value that is not recognised. Every rule gives the same verdict on it, for a fraction of the reading.
    public func summary(from instant: Instant) -> PurchaseChain {
        if transactions.contains(where: \.sharesPeriod) { return withWholePeriods.summary(from: instant) }
        var kept = Set<Int>()
        var products: [String] = []
        for (index, transaction) in transactions.enumerated() {
            if transaction.canStillRun(at: instant) { kept.insert(index) }
            // Where the catalogue must name the group, it may know only one of the products.
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
        // For what is running, only own and other purchases are distinguished.
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

    /// The payer of a transaction.
    enum Owner: CaseIterable {
        case customer, family, organisation, unrecognised
    }
}

extension PurchaseTransaction {
    /// Whether its period, or part of it, lies at or after an instant.
    fileprivate func canStillRun(at instant: Instant) -> Bool {
        guard let expiry else { return false }
        return expiry.value > instant || purchasedAt > instant
    }

    /// The payer, as far as stated.
    var owner: PurchaseChain.Owner {
        switch ownership {
        case nil, .purchased: .customer
        case .familyShared: .family
        case .assigned: .organisation
        case .unrecognised: .unrecognised
        }
    }

    /// What decides, with one id.
    var summary: PurchaseTransaction {
        PurchaseTransaction(
            id: id, productID: productID, purchasedAt: purchasedAt, kind: kind, ownership: ownership,
            terms: Terms(offer: offer),
            course: Course(isUpgraded: isUpgraded, isRenewal: isRenewal, sharesPeriod: sharesPeriod),
            state: State(expiry: expiry, revocation: revocation, cancellation: cancellation))
    }
}
