/// Why a Retention Messaging request of the App Store is refused instead of answered.
package enum RetentionError: Error, Equatable {
    /// The body is not a request of Retention Messaging.
    case malformed(String)
    /// Too many requests are being verified at once.
    case busy
}

extension RetentionError: FailureDescribing {
    package var asFailure: Failure {
        switch self {
        case .malformed(let detail): Failure(.service, "malformed-request", detail)
        case .busy: Failure(.load, "too-many-retention-requests", "too many retention requests are being verified at once")
        }
    }
}
