import EligibilityRules

/// What the steps of a chain are made of.
extension Chain {
    static func stamp(_ month: Int, _ day: Int64) -> Stamp {
        Stamp(asOf: Month.start(month, day: day), source: .signedData)
    }

    func told(_ words: String, _ product: String = "monthly") -> Chain {
        var copy = self
        copy.story.append(product == "monthly" ? words : "\(words) (`\(product)`)")
        return copy
    }

    func retold(_ words: String, _ product: String) -> Chain {
        var copy = self
        copy.story.removeLast()
        return copy.told(words, product)
    }

    func adding(
        _ month: Int,
        _ product: String,
        _ offer: RedeemedOffer? = nil,
        from day: Int64 = 0,
        days: Int64 = 30
    ) -> Chain {
        let isFirst = purchases.transactions.isEmpty && !isCut
        let start = Month.start(month, day: day)
        let transaction = PurchaseTransaction(
            id: isFirst ? id : "\(id)-\(month)\(day == 0 ? "" : "b")",
            productID: product,
            purchasedAt: start,
            terms: .init(offer: offer),
            state: .init(
                expiry: Stamped(start.advanced(by: days * Month.day), Chain.stamp(month, day)),
                revocation: Stamped(.none, Chain.stamp(month, day)))
        )
        var copy = self
        copy.purchases = copy.purchases.merged(with: PurchaseChain(originalID: id, transactions: [transaction]))
        return copy
    }

    func changingLast(_ change: (inout PurchaseTransaction) -> Void) -> Chain {
        changing(from: purchases.transactions.count - 1, change)
    }

    func changingAll(_ change: (inout PurchaseTransaction) -> Void) -> Chain { changing(from: 0, change) }

    func changing(from first: Int, _ change: (inout PurchaseTransaction) -> Void) -> Chain {
        var changed = Array(purchases.transactions[first...])
        for index in changed.indices { change(&changed[index]) }
        var copy = self
        copy.purchases = copy.purchases.merged(with: PurchaseChain(originalID: id, transactions: changed))
        return copy
    }

    func merging(
        groupID: String? = nil,
        environment: PurchaseEnvironment? = nil,
        renewal: Stamped<RenewalState>? = nil,
        winBackOffers: Stamped<OfferIDs>? = nil,
        isListedFromStart: Bool = false
    ) -> Chain {
        var copy = self
        copy.purchases = copy.purchases.merged(
            with: PurchaseChain(
                originalID: id, groupID: groupID, environment: environment,
                outlook: .init(renewal: renewal, winBackOffers: winBackOffers), isListedFromStart: isListedFromStart))
        return copy
    }
}
