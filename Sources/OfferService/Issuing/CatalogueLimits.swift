package import EligibilityRules
package import FoundationEssentials
import OfferStore

/// The limits that the catalogue sets for its offers.
package struct CatalogueLimits: OfferLimiting {
    /// Limits what the catalogue limits.
    package init() {}

    package func share(
        of item: SignatureRequest.Item,
        with nonce: UUID,
        _ request: SignatureRequest,
        _ app: App,
        _ caller: Caller,
        at now: Instant,
        customer: () -> Customer?
    ) -> OfferShare {
        guard app.catalogue.hasLimits || request.reuse, case .promotionalOffer(let offerID) = item.purpose,
            let product = app.catalogue.product(item.productID)
        else { return .taken([]) }
        let limits = product.promotionalOffers[ExactText(offerID)]?.limits
        guard limits != nil || request.reuse else { return .taken([]) }
        let names = OfferLimitNames(
            bundleID: app.bundleID, environment: app.policy.environment, productID: product.id, offerID: offerID)
        let reservation = { (rule: Reservation.Rule, counted: [String], entered: [String], keeper: [UInt8]?) in
            Reservation(
                limit: counted[0], rule: rule, counted: counted, entered: entered, madeAt: now,
                expiresAt: now.advanced(by: Reservation.lifetime), nonce: nonce, keeper: keeper, isReuse: request.reuse)
        }
        var taken: [Reservation] = []
        if request.reuse || limits?.concernsCustomer == true {
            let customer = customer()
            if limits?.notWhileActive == true, let customer, let running = Self.running(product, customer) {
                return .refused(Verdict(.ineligible, .offerLimitReached, limit: running))
            }
            let identity = Self.identity(of: request, app, customer, names)
            if !identity.entered.isEmpty, request.reuse || limits?.countsCustomer == true {
                taken.append(
                    reservation(
                        .uses(LimitTerms(limits)), identity.counted, identity.entered, Self.keeper(of: request, caller)))
            } else if identity.entered.isEmpty, limits?.concernsCustomer == true {
                // Whoever leaves the name out would have no limit.
                return .refused(Verdict(.unknown, .customerNotNamed))
            }
        }
        if let limits, let total = limits.total {
            taken.append(reservation(.total(total, countsRefunded: limits.countsRefunded), [names.total], [names.total], nil))
        }
        return .taken(taken)
    }

    private static func running(_ product: SubscriptionProduct, _ customer: Customer) -> LimitEvidence? {
        let status = customer.ownSubscription(inGroup: customer.groupID(of: product))
        guard status.state.isCurrent else { return nil }
        let end = status.willRenew == false ? status.transaction?.expiry?.value : nil
        return LimitEvidence(.notWhileActive, max: 0, counted: 1, freesAt: end)
    }

    /// The names that what counts for a customer may stand under, and those that a signature is entered under: none if nobody is named.
    ///
    /// Whose purchases are known is known by them, whatever the request calls itself. A name that nothing stands behind is
    /// all there is to go by where the app only takes advice.
    private static func identity(
        of request: SignatureRequest,
        _ app: App,
        _ customer: Customer?,
        _ names: OfferLimitNames
    ) -> (counted: [String], entered: [String]) {
        var (counted, entered): ([String], [String]) = ([], [])
        counted.reserveCapacity(4)
        entered.reserveCapacity(4)
        for (subscription, apple) in customer?.accounts ?? [] {
            let own = names.account(subscription)
            // What was counted before the Apple account was known stands under the subscription.
            let best = apple.map(names.account) ?? own
            if !entered.contains(best) { entered.append(best) }
            for name in [best, own] where !counted.contains(name) { counted.append(name) }
        }
        guard app.enforcement == .advise || entered.isEmpty else { return (counted, entered) }
        var claimed: [String] = []
        if let customerID = request.customerID { claimed.append(names.customer(customerID)) }
        if let token = request.namingToken { claimed.append(names.token(token)) }
        if let id = request.namingTransactionID { claimed.append(names.account(.subscription(id))) }
        if let id = request.appTransactionID { claimed.append(names.account(.apple(id))) }
        for name in claimed where !counted.contains(name) {
            counted.append(name)
            entered.append(name)
        }
        return (counted, entered)
    }

    /// Only to a request that is the same in all that is signed does a signature come again.
    private static func keeper(of request: SignatureRequest, _ caller: Caller) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        for part in [
            caller.id, request.form == .payload ? "payload" : "jws", request.applicationUsername, request.transactionID ?? "",
        ] {
            bytes += part.utf8
            // No UTF-8 has it: that so many of them come keeps one keeper from beginning another.
            bytes.append(0xFF)
        }
        return bytes
    }
}

extension LimitTerms {
    fileprivate init(_ limits: OfferLimits?) {
        self.init(
            outstanding: limits?.outstanding, redeemed: limits?.perCustomer, per: limits?.per, cooldown: limits?.cooldown,
            countsRefunded: limits?.countsRefunded ?? true)
    }
}
