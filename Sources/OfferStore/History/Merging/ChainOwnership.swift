package import EligibilityRules

/// The present owner of a chain, bound directly or through the subscription that it replaced.
package struct ChainOwnership: Sendable {
    /// The owner; nil if the chain has none.
    package let owner: CustomerClaim?
    /// The customers that the purchase's `appAccountToken` names, if two customers claim the chain.
    ///
    /// The token names a customer if it equals the id, or if a backend vouched for another purchase of theirs with that token.
    package var tokenNames: Set<ExactText> = []

    /// - Parameters:
    ///   - known: the stored chain.
    ///   - predecessor: the stored subscription that the chain replaced.
    package init(_ known: StoredChain?, predecessor: StoredChain?) { owner = known?.owner ?? predecessor?.owner }

    /// The original transaction of the subscription that the chain replaced; nil if it replaced none, or has its own owner.
    package static func predecessor(of statement: PurchaseChain, _ known: StoredChain?) -> String? {
        guard known?.owner == nil else { return nil }
        return statement.previousOriginalID ?? known?.chain.previousOriginalID
    }

    /// The customer ids that an `appAccountToken` may equal.
    static func names(ofToken token: String) -> [String] { [token, token.uppercased()] }

    /// Whether the claim names a customer other than the owner. False without an owner or a claim.
    package func isAnother(_ claim: CustomerClaim?) -> Bool {
        guard let owner, let claim else { return false }
        return ExactText(owner.customerID) != ExactText(claim.customerID)
    }

    /// Whether the chain stays with its owner despite another customer's claim.
    package func refuses(_ claim: CustomerClaim?) -> Bool {
        guard let owner, let claim, isAnother(claim) else { return false }
        return strength(of: claim) <= strength(of: owner)
    }

    /// The owner after the claim: the claimant if there is no owner, otherwise the present owner.
    ///
    /// If the owner is the claimant, the stronger of the two proofs counts from now on.
    package func owner(claimedBy claim: CustomerClaim?) -> CustomerClaim? {
        guard let owner else { return claim }
        guard let claim, !isAnother(claim), claim.proof > owner.proof else { return owner }
        return claim
    }

    /// The token never lifts a client's claim above a backend's: a client can present a token that names any customer.
    private func strength(of claim: CustomerClaim) -> Int64 {
        let isNamed = claim.proof != .transferred && tokenNames.contains(ExactText(claim.customerID))
        return 2 * claim.proof.rawValue + (isNamed ? 1 : 0)
    }
}
