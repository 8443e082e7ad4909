import EligibilityRules

extension AppStoreResponse {
    /// Returns what an HTTP status other than 200 means for the call. Only a 403 also depends on the body, by Apple's
    /// `errorCode`.
    ///
    /// - Parameters:
    ///   - appleCode: Apple's `errorCode`, if the body has one.
    ///   - appleMessage: Apple's `errorMessage`, if the body has one.
    func judgedByStatus<Value: Sendable>(appleCode: Int64? = nil, appleMessage: String? = nil) -> Judgement<Value> {
        let detail = "the App Store answers \(status)" + (appleCode.map { ", error \($0)" } ?? "")
        func error(_ code: AppStoreError.Code) -> AppStoreError {
            var error = AppStoreError(code, detail, retryAt: code == .rateLimited ? retryAt : nil, appleCode: appleCode)
            error.answeredAt = date.flatMap(AppleDate.httpInstant)
            error.appleMessage = appleMessage
            error.status = status
            return error
        }
        switch status {
        case 429: return .retry(orElse: .failure(error(.rateLimited)), notBefore: retryAt)
        case 500...: return .hostFailure(error(.unavailable))
        // Apple's own codes for a 403 begin with 403. They say that this request is refused, and not that the token is wrong.
        case 403 where appleCode.map { $0 / 10_000 == 403 } ?? false: return .final(.failure(error(.rejected)))
        case 401, 403: return .final(.failure(error(.unauthorized)))
        case 404: return .final(.failure(error(.notFound)))
        default: return .final(.failure(error(.rejected)))
        }
    }

    /// The instant in `Retry-After`, which Apple gives in ms since 1970.
    private var retryAt: Instant? { retryAfter.flatMap { Int64($0) }.flatMap(AppStoreResponse.instant) }

    // The upper limit is the beginning of the year 2100. A later time is taken for a mistake, and ignored.
    private static func instant(_ milliseconds: Int64) -> Instant? {
        (0...4_102_444_800_000).contains(milliseconds) ? Instant(milliseconds: milliseconds) : nil
    }
}
