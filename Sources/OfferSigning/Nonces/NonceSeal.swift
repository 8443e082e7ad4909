public import FoundationEssentials

/// Makes nonces that prove where they come from, and recognises them without a look-up.
///
/// A nonce is a version-4 UUID. Of its 122 free bits the first 66 are random; the last 56 are a truncated HMAC-SHA256 over
/// (period, the random part, app, caller). Whoever holds the secret can tell a nonce of this app and caller, in
/// this period or the one before, from any other UUID.
public struct NonceSeal: Sendable {
    /// What a nonce turned out to be.
    public enum Origin: Equatable, Sendable {
        case genuine
        /// Issued to this app and caller, but too long ago.
        case expired
        case notIssued
    }

    /// How many random bytes a series of nonces takes.
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

    /// Nonces for an app and a caller.
    ///
    /// - Parameters:
    ///   - random: `randomByteCount` bytes, never used before.
    ///   - now: ms since 1970.
    public func series(app: String, caller: String, now: Int64, random: [UInt8]) -> NonceSeries {
        let current = now / period
        let first = NonceMessage(random: random, period: current, app: app, caller: caller)
        return NonceSeries(key: key, expiresAt: (current + 2) * period, first: first)
    }

    /// Tells whether a nonce was issued to this app and caller in the current or the previous period.
    public func check(_ nonce: UUID, app: String, caller: String, now: Int64) -> Origin {
        let random = withUnsafeBytes(of: nonce.uuid) { Array($0.prefix(NonceSeal.randomByteCount)) }
        let current = now / period
        func isSealed(in period: Int64) -> Bool {
            let message = NonceMessage(random: random, period: period, app: app, caller: caller)
            return message.nonce(sealedWith: key).map { Crypto.constantTimeEqual($0, nonce) } ?? false
        }
        if isSealed(in: current) || isSealed(in: current - 1) { return .genuine }
        // Only to say "expired" rather than "not issued": bounded, and off the path of good requests.
        let earlier = 2...NonceSeal.rememberedPeriods
        return earlier.contains { isSealed(in: current - $0) } ? .expired : .notIssued
    }
}
