/// Why nothing can be said of a customer.
package enum CustomerError: Error, Equatable {
    /// The ledger is looked through for so many customers that one more would have to wait too long.
    case busy
    /// Nothing is known of them in an app.
    case unknown(bundleID: String)
}

extension CustomerError: FailureDescribing {
    /// Of `busy`: for the rest callers are to blame.
    package var asFailure: Failure { Failure(.load, "busy", "the ledger is looked through for too many customers at once") }
}
