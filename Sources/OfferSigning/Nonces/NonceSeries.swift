public import FoundationEssentials

/// The nonces of a request: up to 64 with the same first eight bytes, of which 60 bits are random.
///
/// The six random bits after them are a counter that begins at a random number. Each nonce has its own seal. To prevent reuse,
/// the store needs only one entry for all nonces of a request. This makes twenty signatures cheap to record.
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

    /// Returns the next nonce. More than `length` calls are a programming error.
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
