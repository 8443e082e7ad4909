import EligibilityRules

extension Chain {
    // MARK: Other purchases

    func bought(_ kind: ProductKind, _ words: String) -> Chain {
        var copy = self
        copy.purchases = copy.purchases.merged(
            with: PurchaseChain(
                originalID: id,
                transactions: [PurchaseTransaction(id: id, productID: "item", purchasedAt: Month.start(2), kind: kind)]))
        return copy.told(words)
    }

    // MARK: What happens to it

    func refunded(in month: Int) -> Chain {
        changingLast { $0.revocation = Stamped(.revoked(at: Month.start(month, day: 5)), Chain.stamp(month, 5)) }
            .told("refund in \(month)")
    }

    func priced(_ price: Int64) -> Chain { changingLast { $0.sale = Sale(price: price, currency: "USD") } }

    func refundReversed(in month: Int) -> Chain {
        changingLast { $0.revocation = Stamped(.none, Chain.stamp(month, 9)) }.told("refund reversed in \(month)")
    }

    func renewal(_ state: RenewalState, in month: Int, _ words: String) -> Chain {
        merging(renewal: Stamped(state, Chain.stamp(month, 1))).told(words)
    }

    func winBackOffers(_ ids: [String], in month: Int) -> Chain {
        merging(winBackOffers: Stamped(OfferIDs(ids), Chain.stamp(month, 1))).told("win-back offers named in \(month)")
    }

    // MARK: What is shown of it

    /// Shared by a family member, all of it.
    var shared: Chain { changingAll { $0.ownership = .familyShared }.told("shared by the family") }

    /// A seat that another person paid for, all of it.
    var assigned: Chain { changingAll { $0.ownership = .assigned }.told("seat assigned") }

    var strangelyOwned: Chain { changingAll { $0.ownership = .unrecognised }.told("owned in an unknown way") }

    var ofUnknownType: Chain { changingAll { $0.kind = .unrecognised }.told("of an unknown type") }

    var inUnknownEnvironment: Chain { merging(environment: .unrecognised).told("in an unknown environment") }

    func ofAccount(_ id: String) -> Chain {
        var copy = self
        copy.purchases.appTransactionID = id
        return copy.told("Apple account `\(id)`")
    }

    func inPlace(of id: String) -> Chain {
        var copy = self
        copy.purchases.previousOriginalID = id
        return copy.told("in place of `\(id)`")
    }

    /// The periods that follow are not the first ones.
    var cut: Chain {
        var copy = self
        copy.isCut = true
        return copy.told("beginning not shown")
    }

    var listedFromStart: Chain { merging(isListedFromStart: true).told("all of it listed") }

    func inGroup(_ groupID: String) -> Chain { merging(groupID: groupID).told("group `\(groupID)` named by the App Store") }

    var sandbox: Chain { merging(environment: .sandbox).told("sandbox") }
}
