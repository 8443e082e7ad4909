/// The origin of a sign-in to the console.
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
