public import FoundationEssentials

/// Makes nonces that prove where they come from, and recognises them without a look-up.
///
/// A nonce is a version-4 UUID. Of its 122 free bits the first 66 are random; the last 56 are a truncated HMAC-SHA256 over
/// (period, the random part, app, caller). Whoever holds the secret can tell a nonce of this app and caller, in
/// this period or the one before, from any other UUID.
public struct NonceSeal: Sendable {
    /// What a nonce turned out to be.
    public enum Verdict: Equatable, Sendable {
        case genuine
        /// Issued to this app and caller, but too long ago.
        case expired
        case notIssued
    }

    /// A new nonce and until when it may be used (ms since 1970).
    public struct Issued: Equatable, Sendable {
        /// A lower-case UUID once it is written.
        public let nonce: UUID
        /// When it stops being accepted, ms since 1970.
        public let expiresAt: Int64
    }

    /// How many random bytes a nonce takes.
    public static let randomByteCount = 9

    private static let rememberedPeriods: Int64 = 96

    private let key: AuthenticationKey
    /// Milliseconds.
    private let period: Int64

    /// - Parameter period: milliseconds; a nonce lives between one and two of them.
    public init(key: AuthenticationKey, period: Int64) {
        self.key = key
        self.period = period
    }

    /// Makes a nonce for an app and a caller.
    ///
    /// - Parameters:
    ///   - random: `randomByteCount` bytes, never used before.
    ///   - now: ms since 1970.
    public func issue(app: String, caller: String, now: Int64, random: [UInt8]) throws(SigningError) -> Issued {
        precondition(random.count == NonceSeal.randomByteCount)
        var bytes = random
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let current = now / period
        guard let seal = seal(over: bytes, period: current, app: app, caller: caller) else {
            throw SigningError(.cryptoFailure, "a nonce could not be sealed")
        }
        bytes += seal
        let nonce = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        return Issued(nonce: nonce, expiresAt: (current + 2) * period)
    }

    /// Tells whether a nonce was issued to this app and caller in the current or the previous period.
    public func check(_ nonce: UUID, app: String, caller: String, now: Int64) -> Verdict {
        let bytes = withUnsafeBytes(of: nonce.uuid) { Array($0) }
        guard bytes[6] & 0xF0 == 0x40, bytes[8] & 0xC0 == 0x80 else { return .notIssued }
        let random = Array(bytes[..<NonceSeal.randomByteCount])
        let claimed = Array(bytes[NonceSeal.randomByteCount...])
        let current = now / period
        func isSealed(in period: Int64) -> Bool {
            seal(over: random, period: period, app: app, caller: caller).map { Crypto.constantTimeEqual($0, claimed) } ?? false
        }
        if isSealed(in: current) || isSealed(in: current - 1) { return .genuine }
        // Only to say "expired" rather than "not issued": bounded, and off the path of good requests.
        let earlier = 2...NonceSeal.rememberedPeriods
        return earlier.contains { isSealed(in: current - $0) } ? .expired : .notIssued
    }

    private func seal(over random: [UInt8], period: Int64, app: String, caller: String) -> [UInt8]? {
        var message: [UInt8] = []
        message.reserveCapacity(96)
        append(period, to: &message)
        message += random
        // Lengths first: ("ab", "c") must not seal like ("a", "bc").
        for text in [app, caller] {
            append(Int64(text.utf8.count), to: &message)
            message += text.utf8
        }
        return key.code(for: message).map { Array($0.prefix(16 - NonceSeal.randomByteCount)) }
    }

    private func append(_ number: Int64, to message: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
    }
}
