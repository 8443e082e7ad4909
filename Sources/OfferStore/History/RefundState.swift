/// What has become of a refund request.
public enum RefundState: String, Sendable, CaseIterable {
    /// It is to be answered.
    case waiting
    /// The App Store has accepted the answer.
    case answered
    /// The answer was made and not sent.
    case dryRun = "dry-run"
    /// It is not answered; the detail says why.
    case unanswered
    /// The App Store has refused the answer; the detail says why.
    case refused
    /// The App Store could not be reached in time; the detail says why.
    case expired
}
