public import FoundationEssentials

/// Creates nonces, and recognises them later without looking them up anywhere.
///
/// A nonce is a version-4 UUID, which has 122 free bits. The first 66 of them are random. The last 56 are a truncated HMAC-SHA256
/// over the period, the random part, the app and the caller, which is called the seal. Every replica that has the secret can
/// therefore tell whether a nonce was issued to this app and caller in the present period or the one before.
public struct NonceSeal: Sendable {
    /// The origin of a nonce.
    public enum Origin: Equatable, Sendable {
        /// The nonce was issued in the current or the previous period. `issuedDay` is the day on which that period began, counted
        /// from 1970.
        case genuine(issuedDay: Int64)
        /// The nonce was issued to this app and caller, but too long ago.
        case expired
        case notIssued
    }

    /// The number of random bytes that a series of nonces needs.
    public static let randomByteCount = 9

    private static let rememberedPeriods: Int64 = 96
    private static let millisecondsPerDay: Int64 = 86_400_000
    // The length of a period in earlier releases, in ms. It must stay as it is even if the configuration gets another default,
    // because nonces that those releases have issued would become invalid.
    private static let usualPeriod: Int64 = 900_000

    private let key: AuthenticationKey
    /// The length of a period, in ms.
    private let period: Int64

    /// - Parameter period: the length of a period, in ms. A nonce is valid until the end of the period after the one in which it
    ///   was issued, which is one to two periods.
    public init(key: AuthenticationKey, period: Int64) {
        self.key = key
        self.period = period
    }

    /// Returns a series of nonces for an app and a caller.
    ///
    /// - Parameters:
    ///   - random: new random bytes, as many as `randomByteCount`.
    ///   - now: the time in ms since 1970.
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
        // The search in earlier periods is only for a better error message, which tells an expired nonce from one that was never
        // issued. A request with a valid nonce does not get here.
        let earlier = 2...NonceSeal.rememberedPeriods
        return earlier.contains { isSealed(in: current - $0) } ? .expired : .notIssued
    }

    /// Returns the value that stands for a period in a seal. It is the period's number if periods have the usual length, and
    /// otherwise the beginning of the period in ms.
    ///
    /// If the configured length changes, a period can get the number of another period months ago, and that period's nonces would
    /// be valid again. Two periods never have the same beginning, so such a confusion is impossible.
    private func sealed(_ number: Int64) -> Int64 { period == NonceSeal.usualPeriod ? number : number * period }

    /// The day on which a period begins.
    private func day(of number: Int64) -> Int64 { number * period / Self.millisecondsPerDay }
}

/// The nonces of one request: up to 64 that have the same first eight bytes. 60 bits of these bytes are random.
///
/// The next six free bits are a counter, which begins at a random number. Each nonce has a seal of its own. Because the first
/// bytes are the same, a single entry in the store prevents the reuse of all nonces of a request. A request for twenty signatures
/// is therefore recorded almost as cheaply as a request for one.
public struct NonceSeries {
    /// Number of nonces in a series.
    public static let length = 64

    /// When the nonces expire, in ms since 1970.
    public let expiresAt: Int64
    /// The day on which the period of the nonces began, counted from 1970.
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

/// The message whose HMAC is the seal of a nonce. It consists of the period, the nonce's random part, the app and the caller.
struct NonceMessage {
    private static let random = 8..<8 + NonceSeal.randomByteCount
    // The positions of the two bytes in which a UUID has its version and its variant. The other bits of these bytes are free.
    private static let (version, variant) = (random.lowerBound + 6, random.lowerBound + 8)

    private(set) var bytes: [UInt8]

    /// Uses only those bits of `random` that a version-4 UUID leaves free.
    init(random: some Collection<UInt8>, period: Int64, app: String, caller: String) {
        precondition(random.count == NonceSeal.randomByteCount)
        bytes = []
        bytes.reserveCapacity(96)
        append(period)
        bytes += random
        // The length of each text stands before it. Otherwise the app "ab" with the caller "c" would have the same seal as the
        // app "a" with the caller "bc".
        for text in [app, caller] {
            append(Int64(text.utf8.count))
            bytes += text.utf8
        }
        bytes[NonceMessage.version] = bytes[NonceMessage.version] & 0x0F | 0x40
        bytes[NonceMessage.variant] = bytes[NonceMessage.variant] & 0x3F | 0x80
    }

    /// Advances the counter, so that the message is that of the next nonce of the series.
    mutating func advance() {
        bytes[NonceMessage.variant] = (bytes[NonceMessage.variant] &+ 1) & 0x3F | 0x80
    }

    /// Returns the nonce with its seal; nil if OpenSSL fails.
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
