public import FoundationEssentials

/// What became of one submission.
public enum LedgerOutcome: Equatable, Sendable {
    /// Its rows are durable.
    case recorded
    /// This nonce was used before; none of the submission's rows were written.
    case nonceReplayed(UUID)
    /// These limits have none left, or a signature that is to be given again; none of the submission's rows were written.
    case limited([LimitFinding])
    /// The signing key was revoked before this could be recorded; nothing was written.
    case keyRevoked(String)
    /// The access key was revoked before this could be recorded; nothing was written.
    case callerRevoked
    /// The same request was answered before, with these bytes; nothing was written.
    case answeredBefore([UInt8])
    /// The idempotency key belongs to another request; nothing was written.
    case idempotencyKeyReused
}
