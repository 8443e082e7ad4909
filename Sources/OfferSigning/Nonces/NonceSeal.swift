public import FoundationEssentials

/// Creates nonces that prove their origin, and recognises them without a look-up.
///
/// A nonce is a version-4 UUID. Of its 122 free bits the first 66 are random; the last 56 are a truncated HMAC-SHA256 over
/// (period, the random part, app, caller). A holder of the secret recognises a nonce of an app and caller from this period or the
/// one before.
public struct NonceSeal: Sendable {
    /// The origin of a nonce.
    public enum Origin: Equatable, Sendable {
        /// Issued in a period that began on this day since 1970.
        case genuine(issuedDay: Int64)
        /// Issued to this app and caller, but too long ago.
        case expired
        case notIssued
    }

    /// Number of random bytes for a series of nonces.
    public static let randomByteCount = 9

    private static let rememberedPeriods: Int64 = 96
    private static let millisecondsPerDay: Int64 = 86_400_000
    // Stays when the default of the configuration changes: it keeps nonces good that earlier releases have sealed.
    private static let usualPeriod: Int64 = 900_000

    private let key: AuthenticationKey
    /// The period in ms.
    private let period: Int64

    /// - Parameter period: the period in ms. A nonce is valid for one to two periods.
    public init(key: AuthenticationKey, period: Int64) {
        self.key = key
        self.period = period
    }

    /// Returns nonces for an app and a caller.
    ///
    /// - Parameters:
    ///   - random: `randomByteCount` bytes that were never used before.
    ///   - now: ms since 1970.
    public func series(app: String, caller: String, now: Int64, random: [UInt8]) -> NonceSeries {
        let current = now / period
        let first = NonceMessage(random: random, period: sealed(current), app: app, caller: caller)
        return NonceSeries(key: key, expiresAt: (current + 2) * period, issuedDay: day(of: current), first: first)
    }

    /// Checks whether a nonce was issued to this app and caller in the current or the previous period.
    public func check(_ nonce: UUID, app: String, caller: String, now: Int64) -> Origin {
        let random = withUnsafeBytes(of: nonce.uuid) { Array($0.prefix(NonceSeal.randomByteCount)) }
        let current = now / period
        func isSealed(in number: Int64) -> Bool {
            let message = NonceMessage(random: random, period: sealed(number), app: app, caller: caller)
            return message.nonce(sealedWith: key).map { Crypto.constantTimeEqual($0, nonce) } ?? false
        }
        if isSealed(in: current) { return .genuine(issuedDay: day(of: current)) }
        if isSealed(in: current - 1) { return .genuine(issuedDay: day(of: current - 1)) }
        // Only distinguishes "expired" from "not issued": bounded, and not on the path of valid requests.
        let earlier = 2...NonceSeal.rememberedPeriods
        return earlier.contains { isSealed(in: current - $0) } ? .expired : .notIssued
    }

    /// What a seal has of a period: its number, or where the length is not the usual one the instant at which it begins.
    ///
    /// A period of another length may have the same number months later. It never has the same beginning by then.
    private func sealed(_ number: Int64) -> Int64 { period == NonceSeal.usualPeriod ? number : number * period }

    /// The day on which a period begins.
    private func day(of number: Int64) -> Int64 { number * period / Self.millisecondsPerDay }
}
