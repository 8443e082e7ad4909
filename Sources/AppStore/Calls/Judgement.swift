import EligibilityRules

/// What an answer of the App Store means for a call.
enum Judgement<Value: Sendable>: Sendable {
    /// The call ends with this result.
    case final(Result<Value, AppStoreError>)
    /// The request may be sent again. If it is not, the call ends with this result.
    case retry(orElse: Result<Value, AppStoreError>, notBefore: Instant? = nil, isHostFailure: Bool = false)

    /// Returns the judgement that the host failed.
    static func hostFailure(_ error: AppStoreError) -> Judgement {
        .retry(orElse: .failure(error), notBefore: error.retryAt, isHostFailure: true)
    }
}
