package import EligibilityRules
package import FoundationEssentials
package import OfferStore

/// The limits that the catalogue sets for its offers.
package struct CatalogueLimits: OfferLimiting {
    private static let total = [LimitName.total]

    package init() {}

    package func concern(_ app: App) -> Bool { app.catalogue.hasLimits }

    package func share(
        of offer: LimitedOffer,
        with nonce: UUID,
        for reference: CustomerReference,
        _ app: App,
        at now: Instant,
        customer: Customer?
    ) -> OfferShare {
        let limits = offer.limits
        guard let limits else { return .taken([]) }
        let reservation = { (rule: Reservation.Rule, names: [LimitName]) in
            Reservation(
                scope: offer.scope, rule: rule, names: names, madeAt: now, expiresAt: now.advanced(by: Reservation.lifetime),
                nonce: nonce)
        }
        var taken: [Reservation] = []
        if limits.notWhileActive, let running = customer?.runningSubscription(inGroupOf: offer.product) {
            return .refused(Verdict(.ineligible, .offerLimitReached, limit: Self.evidence(running)))
        }
        let names = Self.names(of: reference, app, customer)
        if !names.isEmpty {
            // Reserved even if only the total of all customers is limited, because it says whose place in the total it is.
            taken = [reservation(.uses(offer.terms), names)]
        } else if limits.concernsCustomer {
            // A request without a name would not be limited.
            return .refused(Verdict(.unknown, .customerNotNamed))
        }
        if let total = limits.total {
            taken.append(reservation(.total(total, countsRefunded: limits.countsRefunded), Self.total))
        }
        return .taken(taken)
    }

    private static func evidence(_ running: SubscriptionStatus) -> LimitEvidence {
        let end = running.willRenew == false ? running.transaction?.expiry?.value : nil
        return LimitEvidence(.notWhileActive, max: 0, counted: 1, freesAt: end)
    }

    /// The names under which a customer's uses may be counted; empty if the request names no customer.
    ///
    /// A customer with known purchases is identified by these purchases, whatever names the request gives.
    /// The names in the request count only if there are no known purchases, or if the app is set to `advise`.
    private static func names(of reference: CustomerReference, _ app: App, _ customer: Customer?) -> [LimitName] {
        var names: [LimitName] = []
        names.reserveCapacity(4)
        customer?.forEachAccount { subscription, account in
            // Uses from before the Apple account was known are counted under the subscription, so both names are used.
            if let account { enter(.account, account, in: &names) }
            enter(.subscription, subscription, isEntered: account == nil, in: &names)
        }
        guard app.rules.enforcement == .advise || names.isEmpty else { return names }
        if let id = reference.customerID { names.append(LimitName(.customer, id)) }
        if let token = reference.appAccountToken { names.append(LimitName(.token, token)) }
        if let id = reference.transactionID, place(of: .subscription, id, in: names) == nil {
            names.append(LimitName(.subscription, id))
        }
        if let id = reference.appTransactionID, place(of: .account, id, in: names) == nil {
            names.append(LimitName(.account, id))
        }
        return names
    }

    private static func enter(_ kind: LimitName.Kind, _ id: String, isEntered: Bool = true, in names: inout [LimitName]) {
        guard let place = place(of: kind, id, in: names) else { return names.append(LimitName(kind, id, isEntered: isEntered)) }
        if isEntered { names[place].isEntered = true }
    }

    private static func place(of kind: LimitName.Kind, _ id: String, in names: [LimitName]) -> Int? {
        for place in names.indices where names[place].kind == kind && names[place].id == id { return place }
        return nil
    }
}

/// Limits how often offers of the catalogue and of campaigns are signed.
///
/// The store counts uses in the transaction that records the signature.
/// If it finds that a limit is used up, the request is decided again without the offers to which the limit applies.
package protocol OfferLimiting: Sendable {
    /// Whether limits can matter for a signature of the app at all.
    func concern(_ app: App) -> Bool

    /// The reservations that the signature of a promotional offer makes, or the reason why it is refused at once.
    ///
    /// - Parameters:
    ///   - nonce: the nonce of the signature.
    ///   - reference: the customer whom the request names.
    ///   - customer: what the history says about the customer; nil if the request names none.
    func share(
        of offer: LimitedOffer,
        with nonce: UUID,
        for reference: CustomerReference,
        _ app: App,
        at now: Instant,
        customer: Customer?
    ) -> OfferShare
}

/// What the limits say about one signature.
package enum OfferShare {
    /// The offer is not signed.
    case refused(Verdict)
    /// The signature makes these reservations; empty if nothing limits the offer.
    case taken([Reservation])
}
