package import EligibilityRules

/// Whose a chain is already: bound itself, or through the subscription whose place it took.
package struct ChainOwnership: Sendable {
    /// Nil while it is nobody's.
    package let owner: String?

    /// - Parameters:
    ///   - known: what is stored of the chain.
    ///   - predecessor: what is stored of the subscription whose place it took.
    package init(_ known: StoredChain?, predecessor: StoredChain?) { owner = known?.customerID ?? predecessor?.customerID }

    /// The original transaction of the subscription whose owner is asked for; nil where the chain has one of its own, or took no place.
    package static func predecessor(of statement: PurchaseChain, _ known: StoredChain?) -> String? {
        guard known?.customerID == nil else { return nil }
        return statement.previousOriginalID ?? known?.chain.previousOriginalID
    }

    /// Whether who comes with it is somebody else than its owner. Nobody is nobody else.
    package func refuses(_ claimant: String?) -> Bool {
        guard let owner, let claimant else { return false }
        return ExactText(owner) != ExactText(claimant)
    }

    /// Whose it is from now on: its owner keeps it; without one it goes to who comes with it.
    package func customer(claimedBy claimant: String?) -> String? { owner ?? claimant }
}
