import EligibilityRules

/// What an answer of the App Store means for a call.
enum Judgement<Value: Sendable>: Sendable {
    /// The call ends with this result.
    case final(Result<Value, AppStoreError>)
    /// The request may be sent again. If the retry policy gives up, the call ends with the result `orElse`.
    case retry(orElse: Result<Value, AppStoreError>, notBefore: Instant? = nil, isHostFailure: Bool = false)

    /// Returns the judgement that the host has failed, so that the request may be sent again and the failure is counted.
    static func hostFailure(_ error: AppStoreError) -> Judgement {
        .retry(orElse: .failure(error), notBefore: error.retryAt, isHostFailure: true)
    }
}
