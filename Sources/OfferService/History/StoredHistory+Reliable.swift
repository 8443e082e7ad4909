package import OfferStore

extension StoredHistory {
    /// The history if something may be concluded from it; throws if it is damaged, or partly another customer's.
    package func reliable() throws -> StoredHistory {
        let stored = try intact()
        if isOfAnotherCustomer { throw HistoryError.boundToAnotherCustomer }
        return stored
    }
}
