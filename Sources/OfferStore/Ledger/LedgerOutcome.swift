public import FoundationEssentials

/// The result of a submission.
public enum LedgerOutcome: Equatable, Sendable {
    /// The submission's rows are durable.
    case recorded
    /// This nonce was used before. Nothing was written.
    case nonceReplayed(UUID)
    /// These limits are used up, or return an outstanding signature again. Nothing was written.
    case limited([LimitFinding])
    /// The signing key was revoked before the signatures were recorded. Nothing was written.
    case keyRevoked(String)
    /// The access key was revoked before the submission was recorded. Nothing was written.
    case callerRevoked
    /// The same request was answered before, with these bytes. Nothing was written.
    case answeredBefore([UInt8])
    /// The idempotency key belongs to another request. Nothing was written.
    case idempotencyKeyReused
}
