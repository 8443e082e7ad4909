import EligibilityRules

extension HistoryChange {
    /// What becomes of it where one chain of another customer's keeps the others out.
    package var refused: HistoryOutcome { .merged(chains.map { _ in .boundToAnotherCustomer }) }

    /// The customer for whom it is noted as supplied, since no subscription of theirs stands for it; nil where one does.
    package func suppliedCustomer(_ outcomes: [ChainOutcome]) -> String? {
        // What belongs to somebody else says nothing, nor does a renewal without its purchase.
        let isAboutOthers = !outcomes.isEmpty && outcomes.allSatisfy { $0 == .boundToAnotherCustomer }
        guard extent != .foreign, !isAboutOthers else { return nil }
        return chains.contains { $0.concernsSubscriptions || $0.transactions.isEmpty } ? nil : customerID
    }

    /// The one customer whose whole account it shows; nil where it does not, or its purchases are of several, or of nobody.
    ///
    /// - Parameter owners: whose its chains are once they are merged; asked where the change does not say.
    package func completeCustomer(_ outcomes: [ChainOutcome], owners: () throws -> [String?]) rethrows -> String? {
        guard extent == .account else { return nil }
        if let customerID { return outcomes.contains(.boundToAnotherCustomer) ? nil : customerID }
        let owners = try owners()
        guard let first = owners.first, let owner = first else { return nil }
        return owners.allSatisfy { $0.map { $0.utf8.elementsEqual(owner.utf8) } ?? false } ? owner : nil
    }
}
