/// From where somebody signs in to the console.
package struct SignInSource: Sendable {
    package let address: String
    /// The browser, as it calls itself.
    package let userAgent: String
    /// Whether the access keys of a role are not taken on this connection, for want of a client certificate.
    let lacksCertificate: @Sendable (Role) -> Bool

    /// Takes the values as they are.
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
