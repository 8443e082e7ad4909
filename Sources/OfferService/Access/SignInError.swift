/// Why a sign-in to the console is refused.
package enum SignInError: Error, Equatable {
    /// The key is mistyped, unknown, expired or revoked. The error does not reveal which.
    case wrongKey
    /// The key's role is for programs.
    case notForPeople(Role)
    /// Keys of this role require a client certificate, and there is none.
    case certificateNeeded
    /// The link was used, or is too old.
    case linkUsed
    /// The person named by the sign-in proxy has no valid access key here.
    case unknownPerson
    /// Too many wrong keys from one address; whole seconds until the next try.
    case tooManyTries(seconds: Int64)
}

/// Where a sign-in to the console comes from.
package struct SignInSource: Sendable {
    package let address: String
    /// The browser's `User-Agent`.
    package let userAgent: String
    /// Whether this connection lacks the client certificate that the keys of a role require.
    let lacksCertificate: @Sendable (Role) -> Bool

    package init(
        address: String,
        userAgent: String,
        lacksCertificate: @escaping @Sendable (Role) -> Bool = { _ in false }
    ) {
        self.address = address
        self.userAgent = userAgent
        self.lacksCertificate = lacksCertificate
    }
}
