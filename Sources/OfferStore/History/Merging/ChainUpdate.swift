package import EligibilityRules

/// The result of merging a source's statement into a stored chain.
package struct ChainUpdate: Sendable {
    /// The outcome reported to the source.
    package let outcome: ChainOutcome
    /// The row to write; nil leaves the stored one.
    package private(set) var row: ChainRow?
    /// Transactions to index for the chain, and to search for redeemed offers.
    package private(set) var transactions: [PurchaseTransaction] = []
    /// Whether the chain gets an owner, and had none until now.
    ///
    /// If so, its successors get the same owner, and its redemptions without a signature are matched again.
    package private(set) var isNewlyBound = false

    /// - Parameters:
    ///   - known: the stored chain; nil if there is none.
    ///   - statement: the source's statement about the chain.
    ///   - claim: the owner according to the source; nil if it does not say.
    ///   - answersPoll: whether the statement answers a poll.
    ///   - indexesKnown: whether transactions of the stored chain may lack index entries.
    package init(
        of known: StoredChain?,
        with statement: PurchaseChain,
        _ ownership: ChainOwnership,
        claimedBy claim: CustomerClaim?,
        at now: Instant,
        answersPoll: Bool = false,
        indexesKnown: Bool
    ) {
        // A stronger claim has already moved the chain.
        guard !ownership.isAnother(claim) else {
            outcome = .boundToAnotherCustomer
            return
        }
        let owner = ownership.owner(claimedBy: claim)
        guard let known else {
            outcome = .changed
            row = ChainRow(statement, owner: owner, at: now, answersPoll: answersPoll)
            transactions = statement.transactions
            isNewlyBound = owner != nil
            return
        }
        isNewlyBound = known.owner == nil && owner != nil
        let merged = known.chain.merged(with: statement)
        // New statements replace a record that cannot be read, which repairs it.
        if !known.isDamaged, known.owner == owner, Self.isSame(merged, known.chain) {
            outcome = .unchanged
            if indexesKnown { transactions = statement.transactions }
            return
        }
        outcome = .changed
        row = ChainRow(merged, owner: owner, at: now, answersPoll: answersPoll)
        transactions = indexesKnown ? merged.transactions : Self.news(of: merged, since: known.chain)
    }

    // Texts that compare equal in Swift can differ in their bytes. The bytes that arrive later replace the earlier ones.
    private static func isSame(_ merged: PurchaseChain, _ chain: PurchaseChain) -> Bool {
        merged == chain && ChainRecord.bytes(of: merged) == ChainRecord.bytes(of: chain)
    }

    // Known transactions are examined, too: one may turn out to be a redemption, and a purchase may get another id.
    private static func news(of merged: PurchaseChain, since chain: PurchaseChain) -> [PurchaseTransaction] {
        let known = Set(chain.statements.map { ExactText($0.id) })
        return merged.transactions.filter { purchase in
            purchase.offer?.kind == .promotional || !purchase.ids.allSatisfy { known.contains(ExactText($0)) }
        }
    }
}
