public import FoundationEssentials

/// What became of one submission.
public enum LedgerOutcome: Equatable, Sendable {
    /// Its rows are durable.
    case recorded
    /// This nonce was used before; none of the submission's rows were written.
    case nonceReplayed(UUID)
    /// This limit has none left; none of the submission's rows were written.
    case limitReached(String)
    /// The same request was answered before, with these bytes; nothing was written.
    case answeredBefore([UInt8])
    /// The idempotency key belongs to another request; nothing was written.
    case idempotencyKeyReused
}
