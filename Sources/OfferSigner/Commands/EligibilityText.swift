import EligibilityRules
import OfferService

/// An assessment for a terminal.
enum EligibilityText {
    /// Returns a paragraph for each product.
    static func lines(_ assessment: Assessment) -> [String] {
        var lines = ["as of \(assessment.asOf.iso8601), history: \(assessment.completeness.rawValue)"]
        for assessed in assessment.products {
            lines.append("")
            lines.append("\(assessed.product.id) (group \(assessed.groupID))")
            lines.append("  subscription: \(text(assessed.subscription))")
            lines.append("  introductory offer: \(text(assessed.introductoryOffer))")
            for offerID in assessed.product.promotionalOfferIDs {
                lines.append("  promotional offer \(offerID): \(text(assessed.promotionalOffers))")
            }
            if !assessed.winBackOfferIDs.isEmpty {
                lines.append("  win-back offers: \(assessed.winBackOfferIDs.joined(separator: ", "))")
            }
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
