import EligibilityRules
import OfferService

/// Writes the data of a customer as text for a terminal.
enum CustomerText {
    /// Returns the facts about a customer, with a paragraph for each subscription.
    static func lines(_ facts: CustomerFacts) -> [String] {
        var lines = ["as of \(facts.asOf.iso8601), \(facts.environment.name), history: \(facts.completeness.rawValue)"]
        if let statement = facts.lastStatement {
            lines.append("last word from the App Store: \(statement.asOf.iso8601) (\(statement.source.name))")
        }
        lines.append("purchases: \(facts.purchases)\(facts.firstPurchaseAt.map { ", the first \($0.iso8601)" } ?? "")")
        for subscription in facts.subscriptions { lines += self.lines(subscription) }
        lines.append("offers redeemed: \(facts.redemptions.count)")
        for redemption in facts.redemptions {
            let signature = redemption.signature.map { ", signed \($0.signedAt.iso8601) with nonce \($0.nonce)" } ?? ""
            let refund = redemption.transaction.revokedAt == nil ? "" : ", refunded"
            lines.append(
                "  \(redemption.transaction.purchasedAt.iso8601)  \(redemption.offer.kind.name) offer \(redemption.offer.id ?? "without id") "
                    + "of \(redemption.transaction.productID), \(redemption.periods) periods\(refund)\(signature)")
        }
        lines.append("refunds: \(facts.refunds.count)")
        for refund in facts.refunds {
            lines.append("  \(refund.revokedAt!.iso8601)  transaction \(refund.id), \(refund.productID)")
        }
        for (name, values) in [
            ("aliases", facts.links.aliases), ("account tokens", facts.links.accountTokens),
            ("Apple accounts", facts.links.appleAccounts), ("user names", facts.links.applicationUsernames),
        ] where !values.isEmpty {
            lines.append("\(name): \(values.joined(separator: ", "))")
        }
        for fact in facts.unrecognised { lines.append("not recognised: \(fact.name) \(fact.value)") }
        return lines
    }

    private static func lines(_ facts: SubscriptionFacts) -> [String] {
        let status = facts.status
        var head = "group \(facts.groupID ?? "unknown"): \(status.state.rawValue)"
        if let product = status.transaction?.productID { head += ", \(product)" }
        if let since = facts.since { head += ", since \(since.iso8601)" }
        if let until = facts.until { head += ", until \(until.iso8601)" }
        if status.isRenewalUnconfirmed { head += ", renewal not confirmed" }
        var lines = [head]
        var renewal: [String] = []
        if let willRenew = status.willRenew { renewal.append(willRenew ? "will renew" : "will not renew") }
        if let intent = facts.renewal?.expirationIntent { renewal.append("expiration intent \(intent)") }
        if let sale = status.transaction?.sale {
            if let price = sale.charged {
                renewal.append("price \(price) thousandths of \(sale.currency ?? "an unknown currency")")
            }
            if let paid = facts.paid?.thousandths, paid != sale.charged { renewal.append("paid \(paid)") }
            if let storefront = sale.storefront { renewal.append("storefront \(storefront)") }
        }
        if !renewal.isEmpty { lines.append("  \(renewal.joined(separator: ", "))") }
        let more = facts.isKnownFromStart ? "" : " at least"
        lines.append("  \(facts.daysSubscribed) days and \(facts.paidPeriods) paid periods\(more)")
        let used = facts.introductoryOfferUsed.map { $0 ? "used" : "not used" } ?? "not known"
        lines.append("  introductory offer: \(used)")
        return lines
    }

    /// Returns an event in one line.
    static func line(_ event: TimelineEvent) -> String {
        var text = "\(event.at.iso8601)  \(event.kind)"
        if let transaction = event.transaction {
            text += ": \(transaction.productID), transaction \(transaction.id)"
            if let offer = transaction.offer { text += ", \(offer.kind.name) offer\(offer.id.map { " \($0)" } ?? "")" }
        }
        switch event.content {
        case .notification(let version, let type, let subtype):
            text += ": V\(version) \(type)\(subtype.map { " \($0)" } ?? "")"
        case .renewalStatement(let renewal):
            text += ": \(renewal.willRenew.map { $0 ? "will renew" : "will not renew" } ?? "not said whether it will renew")"
            if let intent = renewal.expirationIntent { text += ", expiration intent \(intent)" }
        case .signature(let productID, let offerID, let nonce, let keyID, let redeemedBy):
            text += ": \(productID) \(offerID), nonce \(nonce), key \(keyID)"
            text += redeemedBy.map { ", redeemed by transaction \($0)" } ?? ""
        case .refusal(let productID, let offerID, let reason, _): text += ": \(productID) \(offerID), \(reason)"
        default: break
        }
        return text
    }

    /// Returns what was erased, and what stays.
    static func lines(_ erasure: CustomerErasure) -> [String] {
        [
            "erased: \(erasure.purchases) subscriptions and other purchases have no customer now, "
                + "\(erasure.notifications) notifications are empty, \(erasure.ledgerRows) rows of the ledger name no customer",
            "stays without a name: rows of signatures and refusals until \(erasure.ledgerUntil.iso8601), "
                + "answers under idempotency keys until \(erasure.answersUntil.iso8601), purchases and audit events for ever",
        ]
    }
}
