/// Win-back offers: Apple computes who is eligible.
///
/// Its last statement counts from when the customer lapsed until the customer returns.
public enum WinBackOfferRule {
    /// Returns the win-back offers of a group that the customer is eligible for, best first.
    public static func offerIDs(inGroup groupID: String, for customer: Customer) -> [String] {
        guard customer.subscriptions.contains(where: { $0.winBackOffers != nil }) else { return [] }
        let chains = customer.chains(inGroup: groupID)
        guard chains.contains(where: { $0.winBackOffers != nil }) else { return [] }
        let status = customer.status(of: chains)
        guard !status.state.isCurrent else { return [] }
        let latest = chains.compactMap(\.winBackOffers).reduce(nil as Stamped<OfferIDs>?) { $0.merged(with: $1) }
        // A statement made before the customer's last return does not apply to a later lapse.
        guard let latest, status.transaction.map({ latest.stamp.asOf >= $0.purchasedAt }) ?? true else { return [] }
        return latest.value.ids
    }
}
