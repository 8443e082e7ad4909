package import NIOCore
package import OfferService

/// The limits that the servers apply to every client, and the proxies that they trust.
package struct EdgePolicy: Sendable {
    /// How many requests each caller may send.
    package let rates: CurrentRates
    /// The roles whose access keys need a client certificate.
    let certificateRoles: Set<Role>
    /// The proxies that are trusted when they state the address from which a request comes.
    let proxies: TrustedProxies
    /// The memory for all request bodies together, in bytes.
    let bodyBytes: Int
    /// How long a connection may stay open without sending a complete request.
    let idleTimeout: TimeAmount

    package init(
        rates: CurrentRates,
        certificateRoles: Set<Role>,
        proxies: TrustedProxies,
        bodyBytes: Int,
        idleTimeout: TimeAmount
    ) {
        self.rates = rates
        self.certificateRoles = certificateRoles
        self.proxies = proxies
        self.bodyBytes = bodyBytes
        self.idleTimeout = idleTimeout
    }
}

/// The proxies that are trusted when they state the address from which a request comes.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Trusts these ranges; without any, no proxy is trusted.
    package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    /// Returns the client's address. Each proxy adds an address at the end of `X-Forwarded-For`. The entries are read from the
    /// end, as long as trusted proxies have added them, up to the first address that does not belong to a trusted proxy.
    ///
    /// A client may send a header `X-Forwarded-For` of its own. Its entries stand before those of the proxies, and are ignored.
    ///
    /// - Parameters:
    ///   - peer: the address of the connection.
    ///   - forwardedFor: the values of `X-Forwarded-For`, in the order of the lines.
    func client(peer: String, forwardedFor: @autoclosure () -> [String]) -> String {
        guard !ranges.isEmpty else { return peer }
        var client = peer
        for hop in forwardedFor().joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard ranges.contains(where: { $0.contains(client) }) else { break }
            let address = String(hop.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            // If an entry is not an address, the result is the address of the proxy that has added the entry.
            guard AddressRange.isAddress(address) else { break }
            client = address
        }
        return client
    }
}
