/// Why nothing can be said of a customer.
package enum CustomerError: Error, Equatable {
    /// Nothing is known of them in an app.
    case unknown(bundleID: String)
}
