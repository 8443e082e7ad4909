/// A customer who asks without a backend in between, with a token of the app's own sign-in.
///
/// Of what such a request says of itself only this is believed: whoever has the app can send the rest.
package struct EndUser: Equatable, Sendable {
    /// The app's own id of the customer: the token's `sub`.
    package let customerID: String
    /// The `appAccountToken` that is the customer's own, a UUID in lower case; nil if nobody vouches for one.
    package let accountToken: String?

    /// Takes the values as they are.
    package init(customerID: String, accountToken: String?) {
        self.customerID = customerID
        self.accountToken = accountToken
    }
}
