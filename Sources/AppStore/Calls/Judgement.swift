import EligibilityRules

/// What an answer of the App Store means for the call.
enum Judgement<Value: Sendable>: Sendable {
    /// The call ends so.
    case final(Result<Value, AppStoreError>)
    /// The request may be sent again; when it is not, the call ends so.
    case retry(orElse: Result<Value, AppStoreError>, notBefore: Instant? = nil, isHostFailure: Bool = false)

    /// A host that failed.
    static func hostFailure(_ error: AppStoreError) -> Judgement {
        .retry(orElse: .failure(error), notBefore: error.retryAt, isHostFailure: true)
    }
}
