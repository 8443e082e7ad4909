import NIOCore

/// The destination of a connection: scheme, host and port (RFC 6454).
struct HTTPOrigin: Hashable {
    let isSecure: Bool
    /// A name or an address, an IPv6 address without its brackets.
    let host: String
    let port: Int

    /// Whether the host is an address rather than a name.
    var isAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }
}
