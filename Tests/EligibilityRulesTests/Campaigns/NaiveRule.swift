import EligibilityRules

/// Another reading of conditions, for comparison only: over a dictionary of plain values, slow, and with nothing of the real one.
struct NaiveRule {
    enum Plain: Equatable {
        case text([UInt8])
        case number(Double)
        case flag(Bool)
        case texts([[UInt8]])
    }

    let values: [String: Plain]
    let now: Int64

    init(_ context: CampaignContext) {
        let facts = context.facts
        now = facts.asOf.milliseconds
        var values: [String: Plain] = [:]
        values["environment"] = .text(Array((facts.environment == .sandbox ? "Sandbox" : "Production").utf8))
        values["offers.redeemed"] = .texts(facts.redemptions.compactMap { $0.offer.id.map { Array($0.utf8) } })
        values["offers.redeemedCount"] = .number(Double(facts.redemptions.count))
        values["refunds.count"] = .number(Double(facts.refunds.count))
        let day: Int64 = 86_400_000
        if let last = facts.redemptions.map(\.transaction.purchasedAt.milliseconds).max() {
            values["offers.daysSinceLast"] = .number(Double(max(0, now - last) / day))
        }
        if let first = facts.firstPurchaseAt?.milliseconds {
            values["customer.daysSinceFirstPurchase"] = .number(Double(max(0, now - first) / day))
        }
        let hasNameless = facts.subscriptions.contains { $0.groupID == nil }
        let used = facts.subscriptions.map(\.introductoryOfferUsed)
        if used.contains(true) {
            values["introductory.used"] = .flag(true)
        } else if !used.contains(nil) {
            values["introductory.used"] = .flag(false)
        }
        for group in ["main", "other", "third"] {
            NaiveRule.add(facts.subscriptions.first { $0.groupID == group }, group, hasNameless, &values)
        }
        for (name, value) in context.attributes.all {
            switch value {
            case .text(let text): values["@" + name] = .text(Array(text.utf8))
            case .number(let number): if number.isFinite { values["@" + name] = .number(number) }
            case .boolean(let flag): values["@" + name] = .flag(flag)
            case .list: break
            }
        }
        self.values = values
    }

    private static func add(
        _ subscription: SubscriptionFacts?,
        _ group: String,
        _ hasNameless: Bool,
        _ values: inout [String: Plain]
    ) {
        func set(_ name: String, _ value: Plain?) { values["\(name)/\(group)"] = value }
        guard let subscription else {
            guard !hasNameless else { return }
            set("subscription.state", .text(Array("never".utf8)))
            set("subscription.daysSubscribed", .number(0))
            set("subscription.paidPeriods", .number(0))
            set("introductory.used", .flag(false))
            return
        }
        let status = subscription.status
        if !status.isRenewalUnconfirmed { set("subscription.state", .text(Array(status.state.rawValue.utf8))) }
        set("subscription.productId", status.transaction.map { .text(Array($0.productID.utf8)) })
        set("subscription.daysSinceLapse", subscription.daysSinceLapse.map { .number(Double($0)) })
        set("subscription.daysUntilRenewal", subscription.daysUntilRenewal.map { .number(Double($0)) })
        set("subscription.daysSubscribed", .number(Double(subscription.daysSubscribed)))
        set("subscription.paidPeriods", .number(Double(subscription.paidPeriods)))
        set("subscription.willRenew", status.willRenew.map { .flag($0) })
        set("subscription.expirationIntent", subscription.renewal?.expirationIntent.map { .number(Double($0)) })
        set("subscription.storefront", status.transaction?.sale?.storefront.map { .text(Array($0.utf8)) })
        set("subscription.price", status.transaction.flatMap(Self.paid).map { .number(Double($0)) })
        if subscription.introductoryOfferUsed != false || !hasNameless {
            set("introductory.used", subscription.introductoryOfferUsed.map { .flag($0) })
        }
    }

    /// Of sales without seats and refunds in part, and of periods that several of them make up.
    private static func paid(_ transaction: PurchaseTransaction) -> Int64? {
        if transaction.ownership == .unrecognised { return nil }
        guard transaction.isOwn else { return 0 }
        var rest = transaction.sale?.charged
        if rest == 0 { return 0 }
        if let revokedAt = transaction.revokedAt, revokedAt <= RandomCustomers.now { return 0 }
        // The sum of what was given back, of the sum of what was charged.
        if case .part(let back, _)? = transaction.sale?.refund?.value { rest! -= back }
        return transaction.sale?.currency == nil && rest != 0 ? nil : rest
    }
}
