import EligibilityRules

/// Verdicts for a terminal.
enum EligibilityText {
    /// A paragraph for each product.
    static func lines(_ products: [SubscriptionProduct], _ customer: Customer) -> [String] {
        var lines = ["as of \(customer.now.iso8601), history: \(customer.completeness.rawValue)"]
        let promotional = PromotionalOfferRule.verdict(for: customer)
        for product in products {
            let groupID = customer.groupID(of: product)
            let status = customer.subscription(inGroup: groupID)
            lines.append("")
            lines.append("\(product.id) (group \(groupID))")
            lines.append("  subscription: \(text(status))")
            lines.append("  introductory offer: \(text(IntroductoryOfferRule.verdict(on: product, for: customer)))")
            for offerID in product.promotionalOfferIDs {
                lines.append("  promotional offer \(offerID): \(text(promotional))")
            }
            let winBack = WinBackOfferRule.offerIDs(inGroup: groupID, for: customer)
            if !winBack.isEmpty { lines.append("  win-back offers: \(winBack.joined(separator: ", "))") }
        }
        return lines
    }

    private static func text(_ status: SubscriptionStatus) -> String {
        guard let transaction = status.transaction, let expiry = transaction.expiry else { return status.state.rawValue }
        let renewal = status.willRenew.map { $0 ? ", will renew" : ", will not renew" } ?? ""
        return "\(status.state.rawValue), \(transaction.productID) until \(expiry.value.iso8601)\(renewal)"
    }

    private static func text(_ verdict: Verdict) -> String {
        let reasons = verdict.reasons.map { "\n    \($0.code): \($0.message)" }.joined()
        let evidence = verdict.transactionID.map { " (transaction \($0))" } ?? ""
        return "\(verdict.status.rawValue)\(evidence)\(reasons)"
    }
}
