package import NIOCore

/// The address by which connections are counted: an IPv4 address, or the first 64 bits of an IPv6 address.
///
/// One subscriber of a provider usually has all the IPv6 addresses with the same first 64 bits.
package enum PeerAddress: Hashable {
    case v4(UInt32)
    case v6(UInt64)
    /// A peer that has disconnected, or that has no address.
    case unknown

    // The offset of the address in `sockaddr_in` and `sockaddr_in6`.
    private static let offsetV4 = 4
    private static let offsetV6 = 8

    /// - Parameter text: an IP address as text, as in the log.
    init(_ text: String) { self.init(try? SocketAddress(ipAddress: text, port: 0)) }

    /// - Parameter address: the address of the other end of a connection; nil if it has none.
    package init(_ address: SocketAddress?) {
        switch address {
        case .v4?: self = address!.withSockAddr { raw, _ in .v4(Self.read(raw, at: Self.offsetV4)) }
        case .v6?:
            self = address!.withSockAddr { raw, _ in
                let (first, second): (UInt64, UInt32) = (Self.read(raw, at: Self.offsetV6), Self.read(raw, at: Self.offsetV6 + 8))
                // On a socket for both families, an IPv4 peer has an address in ::ffff:0:0/96.
                let isMapped = first == 0 && second.bigEndian == 0xFFFF
                return isMapped ? .v4(Self.read(raw, at: Self.offsetV6 + 12)) : .v6(first)
            }
        case .unixDomainSocket?, nil: self = .unknown
        }
    }

    private static func read<Number: BitwiseCopyable>(_ address: UnsafeRawPointer, at offset: Int) -> Number {
        address.loadUnaligned(fromByteOffset: offset, as: Number.self)
    }
}
