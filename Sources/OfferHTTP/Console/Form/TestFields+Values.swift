import EligibilityRules

// The value of a row.
extension TestFields {
    /// Returns the values to choose from; empty if they cannot be listed, so that the user has to type them.
    func values(in catalogue: Catalogue, _ segments: [Segment]) -> [(id: String, label: String)] {
        if isSegment { return segments.map { ($0.id, $0.name) } }
        if let code = countryCode, comparator == .is { return Country.all.map { (code($0), $0.name) } }
        if isAttribute { return kind == .boolean ? [("true", "yes"), ("false", "no")] : [] }
        let fact = ConditionFact(rawValue: fact)
        if fact == .offersRedeemed {
            return Set(catalogue.sorted.flatMap(\.promotionalOfferIDs)).sorted().map { ($0, $0) }
        }
        guard comparator == .is || comparator == .oneOf else { return [] }
        switch fact {
        case .subscriptionExpirationIntent: return ConditionFact.lapseReasons.enumerated().map { ("\($0 + 1)", $1) }
        case .subscriptionProductID:
            return catalogue.sorted.filter { group.isEmpty || $0.groupID == group }.map { ($0.id, $0.id) }
        default:
            return (fact?.values ?? []).map { value in
                if case .boolean(let flag) = value { return (flag ? "true" : "false", flag ? "yes" : "no") }
                return (ConditionText.words(value), ConditionText.words(value))
            }
        }
    }

    /// The kind of keyboard that a phone shows for the number: `numeric` or `decimal`.
    var mode: String { fact == ConditionFact.subscriptionPrice.rawValue ? "decimal" : "numeric" }

    /// The unit that stands after the number.
    var unit: String {
        switch ConditionFact(rawValue: fact) {
        case .subscriptionDaysSinceLapse, .subscriptionDaysUntilRenewal, .subscriptionDaysSubscribed, .offersDaysSinceLast,
            .customerDaysSinceFirstPurchase:
            "days"
        case .subscriptionPaidPeriods: "periods"
        case .refundsCount: "refunds"
        case .offersRedeemedCount: "offers"
        case .subscriptionPrice: "as paid, less refunds"
        default: ""
        }
    }
}
