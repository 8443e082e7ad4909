import EligibilityRules

extension HistoryChange {
    /// The outcome if one chain of another customer prevents the merge of all.
    package var refused: HistoryOutcome { .merged(chains.map { _ in .boundToAnotherCustomer }) }

    /// The customer for whom to note that a history was supplied; nil for none, or if a subscription already shows that.
    package func suppliedCustomer(_ outcomes: [ChainOutcome]) -> String? {
        // Chains of another customer say nothing about this one, and a renewal without its purchase shows no history.
        let isAboutOthers = !outcomes.isEmpty && outcomes.allSatisfy { $0 == .boundToAnotherCustomer }
        guard extent != .foreign, !isAboutOthers else { return nil }
        return chains.contains { $0.concernsSubscriptions || $0.transactions.isEmpty } ? nil : customerID
    }

    /// The customer whose whole account the change shows; nil if it does not, or the chains have several owners or none.
    ///
    /// - Parameter owners: returns the owners of the merged chains. Called only if the change names no customer.
    package func completeCustomer(_ outcomes: [ChainOutcome], owners: () throws -> [String?]) rethrows -> String? {
        guard extent == .account else { return nil }
        if let customerID { return outcomes.contains(.boundToAnotherCustomer) ? nil : customerID }
        let owners = try owners()
        guard let first = owners.first, let owner = first else { return nil }
        return owners.allSatisfy { $0.map { $0.utf8.elementsEqual(owner.utf8) } ?? false } ? owner : nil
    }
}
