import FoundationEssentials

/// The message that a nonce's seal covers: period, the nonce's random part, app and caller.
struct NonceMessage {
    private static let random = 8..<8 + NonceSeal.randomByteCount
    // The bytes of a UUID with its version and variant. The other bits of these two bytes are free.
    private static let (version, variant) = (random.lowerBound + 6, random.lowerBound + 8)

    private(set) var bytes: [UInt8]

    /// Only those bits of `random` count that a version-4 UUID leaves free.
    init(random: some Collection<UInt8>, period: Int64, app: String, caller: String) {
        precondition(random.count == NonceSeal.randomByteCount)
        bytes = []
        bytes.reserveCapacity(96)
        append(period)
        bytes += random
        // Lengths first: ("ab", "c") must not seal like ("a", "bc").
        for text in [app, caller] {
            append(Int64(text.utf8.count))
            bytes += text.utf8
        }
        bytes[NonceMessage.version] = bytes[NonceMessage.version] & 0x0F | 0x40
        bytes[NonceMessage.variant] = bytes[NonceMessage.variant] & 0x3F | 0x80
    }

    /// Advances to the next random part with the same first eight bytes.
    mutating func advance() {
        bytes[NonceMessage.variant] = (bytes[NonceMessage.variant] &+ 1) & 0x3F | 0x80
    }

    /// The sealed nonce; nil if OpenSSL fails.
    func nonce(sealedWith key: AuthenticationKey) -> UUID? {
        key.withCode(for: bytes) { code in
            var uuid = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            withUnsafeMutableBytes(of: &uuid) { uuid in
                uuid.copyBytes(from: bytes[NonceMessage.random])
                let seal = UnsafeMutableRawBufferPointer(rebasing: uuid[NonceSeal.randomByteCount...])
                seal.copyBytes(from: code.prefix(seal.count))
            }
            return UUID(uuid: uuid)
        }
    }

    private mutating func append(_ number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
