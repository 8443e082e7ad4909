public import FoundationEssentials

/// The nonces of one request, made one by one: up to 64 that share their first eight bytes, 60 of whose bits are random.
///
/// In the six random bits behind them they count on from a random number. Each is sealed by itself. What keeps nonces from being used
/// twice thus needs one place for all of a request's, which is what makes twenty signatures cheap to record.
public struct NonceSeries {
    /// How many nonces there are in a series.
    public static let length = 64

    /// When its nonces stop being accepted, ms since 1970.
    public let expiresAt: Int64
    private let key: AuthenticationKey
    private var message: NonceMessage
    private var left = NonceSeries.length

    init(key: AuthenticationKey, expiresAt: Int64, first message: NonceMessage) {
        self.key = key
        self.expiresAt = expiresAt
        self.message = message
    }

    /// The next nonce. To ask for more than `length` is a programming error.
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
