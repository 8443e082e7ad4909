package import OfferStore

extension StoredHistory {
    /// The history, if conclusions may be drawn from it. Throws if it is damaged, or if parts of it belong to another customer.
    package func reliable() throws -> StoredHistory {
        let stored = try intact()
        if isOfAnotherCustomer { throw HistoryError.boundToAnotherCustomer }
        return stored
    }
}
