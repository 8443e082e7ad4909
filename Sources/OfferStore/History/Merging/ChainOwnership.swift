package import EligibilityRules

/// Whose a chain is already: bound itself, or through the subscription whose place it took.
package struct ChainOwnership: Sendable {
    /// Nil while it is nobody's.
    package let owner: CustomerClaim?
    /// The customers whom the purchase's `appAccountToken` names, where two claim it: it is their id, or a backend has vouched that
    /// something else that was bought with it is theirs.
    package var tokenNames: Set<ExactText> = []

    /// - Parameters:
    ///   - known: what is stored of the chain.
    ///   - predecessor: what is stored of the subscription whose place it took.
    package init(_ known: StoredChain?, predecessor: StoredChain?) { owner = known?.owner ?? predecessor?.owner }

    /// The original transaction of the subscription whose owner is asked for; nil where the chain has one of its own, or took no place.
    package static func predecessor(of statement: PurchaseChain, _ known: StoredChain?) -> String? {
        guard known?.owner == nil else { return nil }
        return statement.previousOriginalID ?? known?.chain.previousOriginalID
    }

    /// The names of customers that an `appAccountToken` may be.
    static func names(ofToken token: String) -> [String] { [token, token.uppercased()] }

    /// Whether the claim names another customer than its owner. False without an owner, or without a claim.
    package func isAnother(_ claim: CustomerClaim?) -> Bool {
        guard let owner, let claim else { return false }
        return ExactText(owner.customerID) != ExactText(claim.customerID)
    }

    /// Whether it stays with its owner, although somebody else comes with it.
    package func refuses(_ claim: CustomerClaim?) -> Bool {
        guard let owner, let claim, isAnother(claim) else { return false }
        return strength(of: claim) <= strength(of: owner)
    }

    /// Whose it is from now on: its owner keeps it, by the best proof there is; without one it goes to who comes with it.
    package func owner(claimedBy claim: CustomerClaim?) -> CustomerClaim? {
        guard let owner else { return claim }
        guard let claim, !isAnother(claim), claim.proof > owner.proof else { return owner }
        return claim
    }

    /// A client's word never counts more than a backend's: it can name whom it likes, whoever the token is for.
    private func strength(of claim: CustomerClaim) -> Int64 {
        let isNamed = claim.proof != .transferred && tokenNames.contains(ExactText(claim.customerID))
        return 2 * claim.proof.rawValue + (isNamed ? 1 : 0)
    }
}
