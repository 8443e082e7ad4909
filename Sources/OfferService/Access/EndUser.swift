/// A customer who sends requests without a backend, with a token of the app's own sign-in.
///
/// Only these values of such a request are trusted: any holder of the app can forge the rest.
package struct EndUser: Equatable, Sendable {
    /// The app's own id of the customer: the token's `sub`.
    package let customerID: String
    /// The customer's own `appAccountToken`, a UUID in lower case; nil if the token proves none.
    package let accountToken: String?

    package init(customerID: String, accountToken: String?) {
        self.customerID = customerID
        self.accountToken = accountToken
    }
}
