package import NIOCore
package import OfferService

/// The limits and the trust that the servers apply to every client.
package struct EdgePolicy: Sendable {
    /// The rate of an access key without one of its own.
    let rateLimit: RateLimit
    /// The roles whose access keys need a client certificate.
    let certificateRoles: Set<Role>
    /// The proxies that are trusted about where requests come from.
    let proxies: TrustedProxies
    /// The memory for all request bodies together.
    let bodyBytes: Int
    /// How long a connection may go without a whole request.
    let idleTimeout: TimeAmount

    package init(
        rateLimit: RateLimit,
        certificateRoles: Set<Role>,
        proxies: TrustedProxies,
        bodyBytes: Int,
        idleTimeout: TimeAmount
    ) {
        self.rateLimit = rateLimit
        self.certificateRoles = certificateRoles
        self.proxies = proxies
        self.bodyBytes = bodyBytes
        self.idleTimeout = idleTimeout
    }
}
