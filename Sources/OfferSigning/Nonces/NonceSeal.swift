public import FoundationEssentials

/// Creates nonces that prove their origin, and recognises them without a look-up.
///
/// A nonce is a version-4 UUID. Of its 122 free bits the first 66 are random; the last 56 are a truncated HMAC-SHA256 over
/// (period, the random part, app, caller). A holder of the secret recognises a nonce of an app and caller from this period or the
/// one before.
public struct NonceSeal: Sendable {
    /// The origin of a nonce.
    public enum Origin: Equatable, Sendable {
        /// Issued in the current or the previous period, which began on this day, counted from 1970.
        case genuine(issuedDay: Int64)
        /// Issued to this app and caller, but too long ago.
        case expired
        case notIssued
    }

    /// Number of random bytes for a series of nonces.
    public static let randomByteCount = 9

    private static let rememberedPeriods: Int64 = 96
    private static let millisecondsPerDay: Int64 = 86_400_000
    // The default length of earlier releases, in ms. It must not change with the default of the configuration: nonces that those
    // releases sealed would become invalid.
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
    ///   - random: `randomByteCount` new random bytes.
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
        // This search only tells "expired" from "not issued". It is bounded, and no valid request reaches it.
        let earlier = 2...NonceSeal.rememberedPeriods
        return earlier.contains { isSealed(in: current - $0) } ? .expired : .notIssued
    }

    /// The value that stands for a period in a seal: its number if periods have the usual length, or else its beginning in ms.
    ///
    /// If the configured length changes, a later period can have the number of one that passed months ago, whose nonces would
    /// then be valid again. Its beginning is always different.
    private func sealed(_ number: Int64) -> Int64 { period == NonceSeal.usualPeriod ? number : number * period }

    /// The day on which a period begins.
    private func day(of number: Int64) -> Int64 { number * period / Self.millisecondsPerDay }
}

/// The nonces of a request: up to 64 with the same first eight bytes, of which 60 bits are random.
///
/// The six bits after them are a counter that begins at a random number. Each nonce has its own seal. Because the first bytes
/// are the same, the store needs only one entry to prevent the reuse of all nonces of a request, so that twenty signatures are
/// cheap to record.
public struct NonceSeries {
    /// Number of nonces in a series.
    public static let length = 64

    /// When the nonces expire, ms since 1970.
    public let expiresAt: Int64
    /// The day since 1970 on which the period of their seals began.
    public let issuedDay: Int64
    private let key: AuthenticationKey
    private var message: NonceMessage
    private var left = NonceSeries.length

    init(key: AuthenticationKey, expiresAt: Int64, issuedDay: Int64, first message: NonceMessage) {
        self.key = key
        self.expiresAt = expiresAt
        self.issuedDay = issuedDay
        self.message = message
    }

    /// Returns the next nonce. It must not be called more than `length` times.
    public mutating func next() throws(SigningError) -> UUID {
        precondition(left > 0)
        left -= 1
        guard let nonce = message.nonce(sealedWith: key) else {
            throw SigningError(.cryptoFailure, "a nonce could not be sealed")
        }
        message.advance()
        return nonce
    }
}

/// The message whose HMAC is a nonce's seal: period, the nonce's random part, app and caller.
struct NonceMessage {
    private static let random = 8..<8 + NonceSeal.randomByteCount
    // The places of the two bytes that hold the version and the variant of the UUID. The other bits of these bytes are free.
    private static let (version, variant) = (random.lowerBound + 6, random.lowerBound + 8)

    private(set) var bytes: [UInt8]

    /// Uses only those bits of `random` that a version-4 UUID leaves free.
    init(random: some Collection<UInt8>, period: Int64, app: String, caller: String) {
        precondition(random.count == NonceSeal.randomByteCount)
        bytes = []
        bytes.reserveCapacity(96)
        append(period)
        bytes += random
        // Each text follows its length: otherwise ("ab", "c") would have the same seal as ("a", "bc").
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
