public import FoundationEssentials

/// The nonces of one request, made one by one.
///
/// The first has the random part that was given, those after it count on from there; each is sealed by itself. So they are neighbours
/// in the index that keeps nonces from being used twice: twenty random places would cost twenty pages of it.
public struct NonceSeries {
    /// When its nonces stop being accepted, ms since 1970.
    public let expiresAt: Int64
    private let key: AuthenticationKey
    private var message: NonceMessage

    init(key: AuthenticationKey, expiresAt: Int64, first message: NonceMessage) {
        self.key = key
        self.expiresAt = expiresAt
        self.message = message
    }

    /// The next nonce.
    public mutating func next() throws(SigningError) -> UUID {
        guard let nonce = message.nonce(sealedWith: key) else {
            throw SigningError(.cryptoFailure, "a nonce could not be sealed")
        }
        message.advance()
        return nonce
    }
}
