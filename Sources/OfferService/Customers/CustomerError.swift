/// Why a request about a customer is refused.
package enum CustomerError: Error, Equatable {
    /// Too many searches through the ledger are under way.
    case busy
    /// Nothing is known of the customer in an app.
    case unknown(bundleID: String)
}

extension CustomerError: FailureDescribing {
    /// The failure of `busy`. The caller is to blame for all other errors.
    package var asFailure: Failure { Failure(.load, "busy", "too many requests search the ledger at once") }
}
