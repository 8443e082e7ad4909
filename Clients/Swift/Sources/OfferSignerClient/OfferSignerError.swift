/// A call that has no answer. A refused offer is an answer. A cancelled call throws `CancellationError` instead.
public enum OfferSignerError: Error, Equatable, Sendable {
    /// The request or the configuration has a fault. Repeating it does not help.
    case rejected(status: Int, Problem)
    /// The service cannot answer now, or no answer came in time. The problem is that of the last answer, if there was one.
    ///
    /// A signature may exist: a call with the same idempotency key brings it.
    case unavailable(Problem?)
    /// What answered is not this service.
    case malformedAnswer
}

/// The body of an error (RFC 9457).
public struct Problem: Decodable, Equatable, Sendable {
    /// A field that the error is about.
    public struct Field: Decodable, Equatable, Sendable {
        /// The path of the field in the body, or the name of a header.
        public let name: String
        /// What is wrong with it.
        public let reason: String
    }

    /// The kind of error, for programs. It is stable.
    public let code: String
    /// What is wrong and what to do.
    public let detail: String?
    /// Id of the request, for the operator of the service.
    public let requestId: String
    /// The fields that the error is about; nil for none.
    public let fields: [Field]?
}
