package import EligibilityRules

/// What becomes of a stored chain with what a source says about it.
package struct ChainUpdate: Sendable {
    /// What the source is told.
    package let outcome: ChainOutcome
    /// What is to be written; nil leaves what is stored.
    package private(set) var row: ChainRow?
    /// What is to lead to the chain and to be looked through for redeemed offers.
    package private(set) var transactions: [PurchaseTransaction] = []
    /// Whether it was nobody's until now.
    ///
    /// Then those that took its place get its customer, too, and redemptions of it that belonged to nothing are looked at again.
    package private(set) var isNewlyBound = false

    /// - Parameters:
    ///   - known: what is stored; nil if nothing is.
    ///   - statement: what the source says of the same chain.
    ///   - claim: whose the source says it is; nil if it does not say.
    ///   - indexesKnown: whether what is known already may not lead to the chain yet.
    package init(
        of known: StoredChain?,
        with statement: PurchaseChain,
        _ ownership: ChainOwnership,
        claimedBy claim: CustomerClaim?,
        at now: Instant,
        indexesKnown: Bool
    ) {
        // What a stronger claim takes from somebody was moved before.
        guard !ownership.isAnother(claim) else {
            outcome = .boundToAnotherCustomer
            return
        }
        let owner = ownership.owner(claimedBy: claim)
        guard let known else {
            outcome = .changed
            row = ChainRow(statement, owner: owner, at: now)
            transactions = statement.transactions
            isNewlyBound = owner != nil
            return
        }
        isNewlyBound = known.owner == nil && owner != nil
        let merged = known.chain.merged(with: statement)
        // A record that cannot be read is replaced by what comes: that is how it is mended.
        if !known.isDamaged, known.owner == owner, Self.isSame(merged, known.chain) {
            outcome = .unchanged
            if indexesKnown { transactions = statement.transactions }
            return
        }
        outcome = .changed
        row = ChainRow(merged, owner: owner, at: now)
        transactions = indexesKnown ? merged.transactions : Self.news(of: merged, since: known.chain)
    }

    // Texts that Swift takes for one may have different bytes, and of these the later ones stay.
    private static func isSame(_ merged: PurchaseChain, _ chain: PurchaseChain) -> Bool {
        merged == chain && ChainRecord.bytes(of: merged) == ChainRecord.bytes(of: chain)
    }

    // That a known transaction redeemed an offer may be new.
    private static func news(of merged: PurchaseChain, since chain: PurchaseChain) -> [PurchaseTransaction] {
        let known = Set(chain.transactions.map { ExactText($0.id) })
        return merged.transactions.filter { !known.contains(ExactText($0.id)) || $0.offer?.kind == .promotional }
    }
}
