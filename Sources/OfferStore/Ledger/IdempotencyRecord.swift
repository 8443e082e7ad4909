public import EligibilityRules

/// The answer to a request with an `Idempotency-Key`, stored so that a retry gets the same bytes.
public struct IdempotencyRecord: Equatable, Sendable {
    /// How long an answer is kept: 24 hours, in ms.
    public static let lifetime: Int64 = 24 * 3600 * 1000

    /// Id of the caller's access key. Keys of different callers are independent.
    public let caller: String
    /// The idempotency key.
    public let key: String
    /// SHA-256 of route and body. The same key with another digest is the caller's mistake.
    public let requestDigest: [UInt8]
    /// The answer's bytes.
    public let answer: [UInt8]
    /// When the answer was created.
    public let createdAt: Instant

    /// Stores the given values without checking them.
    public init(caller: String, key: String, requestDigest: [UInt8], answer: [UInt8], createdAt: Instant) {
        self.caller = caller
        self.key = key
        self.requestDigest = requestDigest
        self.answer = answer
        self.createdAt = createdAt
    }
}
