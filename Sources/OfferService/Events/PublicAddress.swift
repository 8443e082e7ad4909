package import NIOCore

/// Distinguishes public addresses from private ones. A URL in the configuration must not lead the service into its own network.
package enum PublicAddress {
    /// The IPv4 networks that are not public, by IANA's registry of special-purpose addresses: the first bytes, and how many of
    /// their bits count.
    private static let special: [(bytes: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24),
        ([224], 3),
    ]
    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    private static let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

    /// Whether the address of a connection is public. A Unix domain socket is not.
    package static func contains(_ address: SocketAddress) -> Bool {
        // The position of the address in `sockaddr_in` and `sockaddr_in6`.
        let place =
            switch address {
            case .v4: 4..<8
            case .v6: 8..<24
            case .unixDomainSocket: 0..<0
            }
        return address.withSockAddr { raw, _ in
            contains(Array(UnsafeRawBufferPointer(start: raw, count: place.upperBound)[place]))
        }
    }

    /// Whether an address is public.
    ///
    /// - Parameter bytes: 4 for IPv4, or 16 for IPv6. An IPv6 address that contains an IPv4 address (mapped, NAT64) is public if
    ///   the IPv4 address is.
    static func contains(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else {
            return bytes.count == 4 && !special.contains { isIn($0.bytes, $0.bits, bytes) }
        }
        if bytes.starts(with: mapped) || bytes.starts(with: translated) { return contains(Array(bytes.suffix(4))) }
        // Only 2000::/3 is assigned. Within it, these blocks are not public: Teredo and other protocols, documentation, and 6to4.
        return isIn([0x20], 3, bytes) && !isIn([0x20, 0x01, 0], 23, bytes) && !isIn([0x20, 0x01, 0x0D, 0xB8], 32, bytes)
            && !isIn([0x20, 0x02], 16, bytes) && !isIn([0x3F, 0xFF, 0], 20, bytes)
    }

    private static func isIn(_ network: [UInt8], _ bits: Int, _ address: [UInt8]) -> Bool {
        zip(network, address).enumerated().allSatisfy { index, pair in
            let rest = min(8, bits - 8 * index)
            return rest <= 0 || (pair.0 ^ pair.1) >> (8 - rest) == 0
        }
    }
}
