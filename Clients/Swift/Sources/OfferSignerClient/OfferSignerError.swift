/// The error of a call that got no usable answer. A refused offer is not an error, but a result. A cancelled call throws
/// `CancellationError` instead.
public enum OfferSignerError: Error, Equatable, Sendable {
    /// The request or the configuration has a fault, which the problem names. Repeating the request does not help.
    case rejected(status: Int, Problem)
    /// The service cannot answer now, or no answer came in time. The problem is that of the last answer, if there was one.
    ///
    /// The service may have signed all the same. A call with the same idempotency key and the same request gets that signature.
    case unavailable(Problem?)
    /// The answer did not come from this service. For example, a proxy in front of it has answered.
    case malformedAnswer
}

/// The body of an error (RFC 9457).
public struct Problem: Decodable, Equatable, Sendable {
    /// A field that the error is about.
    public struct Field: Decodable, Equatable, Sendable {
        /// The path of the field in the body, such as `offers[0].productId`, or the name of a header.
        public let name: String
        /// What is wrong with the field.
        public let reason: String
    }

    /// The kind of error, for programs. It is stable.
    public let code: String
    /// What is wrong in this request, and what to do.
    public let detail: String?
    /// The id of the request. With it the operator of the service finds the request in the log.
    public let requestId: String
    /// The fields that the error is about; nil if it is about no particular field.
    public let fields: [Field]?
}
