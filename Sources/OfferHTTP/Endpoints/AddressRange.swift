import Glibc

/// An IP address, or a range of addresses with a common prefix (CIDR, RFC 4632 and 4291).
package struct AddressRange: Equatable, Sendable {
    private let bytes: [UInt8]
    private let bits: Int

    /// Reads a range such as `10.0.0.0/8` or `2001:db8::/32`, or a single address.
    ///
    /// Returns nil for any other text, and for an address that has bits set after the prefix. It also returns nil for a prefix of
    /// 0 bits, because that range would contain all addresses.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.bytes(String(parts[0])) else { return nil }
        self.bytes = bytes
        guard parts.count > 1 else {
            bits = bytes.count * 8
            return
        }
        guard (1...3).contains(parts[1].utf8.count), let bits = Int(parts[1]), parts[1].utf8.allSatisfy({ $0 >= 0x30 }),
            (1...bytes.count * 8).contains(bits)
        else { return nil }
        self.bits = bits
        guard Self.prefix(bytes, bits) == bytes else { return nil }
    }

    /// Whether an address, as text, is in the range.
    ///
    /// An IPv4-mapped IPv6 address counts as its IPv4 address.
    package func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(address), other.count == bytes.count else { return false }
        return Self.prefix(other, bits) == bytes
    }

    /// Whether a text is a single address, without a prefix length.
    static func isAddress(_ text: String) -> Bool { bytes(text) != nil }

    private static func bytes(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(0) else { return nil }
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &four) == 1 { return four }
        var sixteen = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
        let isMapped = sixteen.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        return isMapped ? Array(sixteen[12...]) : sixteen
    }

    private static func prefix(_ bytes: [UInt8], _ bits: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(max(bits - index * 8, 0), 8)
            return kept == 0 ? 0 : byte & (0xFF << (8 - UInt8(kept)))
        }
    }
}
