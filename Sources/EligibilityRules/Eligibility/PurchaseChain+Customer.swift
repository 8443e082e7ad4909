/// The questions that the rules ask of a chain.
extension PurchaseChain {
    /// Whether the chain counts in an environment: it was bought there, or no source says where.
    func isCounted(in environment: PurchaseEnvironment) -> Bool {
        self.environment == nil || self.environment == environment
    }

    /// Returns the chain with those transactions for which a condition holds; nil if it holds for none.
    func part(where condition: (PurchaseTransaction) -> Bool) -> PurchaseChain? {
        if transactions.allSatisfy(condition) { return self }
        let part = transactions.filter(condition)
        guard !part.isEmpty else { return nil }
        var copy = with(transactions: part)
        // The first period is known, even if it is filtered out here.
        copy.isListedFromStart = showsFirstPeriod
        return copy
    }

    /// Returns the chains with those transactions for which a condition holds.
    ///
    /// Usually it holds for all of them; then the list itself is returned, without a copy.
    static func parts(of chains: [PurchaseChain], where condition: (PurchaseTransaction) -> Bool) -> [PurchaseChain] {
        chains.allSatisfy { $0.transactions.allSatisfy(condition) } ? chains : chains.compactMap { $0.part(where: condition) }
    }

    /// Whether the chain has a value that is not recognised and that a verdict may depend on.
    var isDoubtful: Bool {
        environment == .unrecognised && concernsSubscriptions
            || transactions.contains { $0.isDoubtfulSubscription || $0.offer?.kind == .unrecognised }
    }

    /// The first transaction that may or may not be a subscription that the customer bought; nil if there is none.
    var doubtfulOwnSubscription: PurchaseTransaction? {
        if environment == .unrecognised, concernsSubscriptions { return transactions.first }
        return transactions.first(where: \.isDoubtfulSubscription)
    }

    /// The first transaction that may or may not have used an introductory offer; nil if there is none.
    var doubtfulOffer: PurchaseTransaction? {
        transactions.first { $0.isOwn && $0.offer?.kind == .unrecognised }
    }

    /// Returns the chains as the rules read them.
    ///
    /// Each period has one transaction. A chain that a bundle has replaced ends when the bundle begins, although no source
    /// reports that end.
    static func settled(_ chains: [PurchaseChain]) -> [PurchaseChain] {
        let chains = withWholePeriods(chains)
        guard chains.contains(where: { $0.previousOriginalID != nil }) else { return chains }
        return chains.map { chain in
            let id = ExactText(chain.originalID)
            let moved = chains.filter { $0.previousOriginalID.map(ExactText.init) == id && ExactText($0.originalID) != id }
            let begun = moved.compactMap { $0.transactions.first { $0.isOwn && $0.expiry != nil }?.purchasedAt }
            return begun.min().map(chain.ended) ?? chain
        }
    }

    /// Returns the chain with all periods that the customer bought ended at an instant.
    ///
    /// If such a period begins later, the chain was not replaced at that instant, and is returned as it is.
    private func ended(at instant: Instant) -> PurchaseChain {
        guard let last = transactions.last(where: { $0.isOwn && $0.expiry != nil }), last.purchasedAt < instant else {
            return self
        }
        var copy = with(
            transactions: transactions.map { transaction in
                guard transaction.isOwn, let expiry = transaction.expiry, expiry.value > instant else { return transaction }
                var ended = transaction
                ended.expiry = Stamped(instant, expiry.stamp)
                return ended
            })
        copy.renewal = Stamped(RenewalState(willRenew: false), Stamp(asOf: instant, source: .signedData))
        return copy
    }
}
