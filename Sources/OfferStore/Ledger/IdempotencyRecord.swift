public import EligibilityRules

/// The answer to one request under an `Idempotency-Key`, kept so that a retry gets the same bytes.
public struct IdempotencyRecord: Equatable, Sendable {
    /// How long an answer is kept: 24 hours, in ms.
    public static let lifetime: Int64 = 24 * 3600 * 1000

    /// Id of the access key that asked; keys of different callers never meet.
    public let caller: String
    /// As the caller chose it.
    public let key: String
    /// SHA-256 over route and body: the same key with another digest is a mistake of the caller's.
    public let requestDigest: [UInt8]
    /// The answer's bytes.
    public let answer: [UInt8]
    /// When it was made.
    public let createdAt: Instant

    /// Takes the values as they are.
    public init(caller: String, key: String, requestDigest: [UInt8], answer: [UInt8], createdAt: Instant) {
        self.caller = caller
        self.key = key
        self.requestDigest = requestDigest
        self.answer = answer
        self.createdAt = createdAt
    }
}
