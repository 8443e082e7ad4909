package import OfferStore

extension StoredHistory {
    /// The history, if conclusions may be drawn from it. Throws if it is damaged, or partly another customer's.
    package func reliable() throws -> StoredHistory {
        let stored = try intact()
        if isOfAnotherCustomer { throw HistoryError.boundToAnotherCustomer }
        return stored
    }
}
