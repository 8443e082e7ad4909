import OfferSigning

/// The `Idempotency-Key` of a request, and the digest that identifies the request.
package struct Idempotency: Sendable {
    package let key: String
    let requestDigest: [UInt8]
    /// Whether an answer that records nothing is not kept: the same question gets it again in any case.
    let isForRecordedOnly: Bool

    /// - Parameters:
    ///   - request: everything that distinguishes the request from another.
    ///   - isForRecordedOnly: whether an answer that records nothing is not kept.
    package init(key: String, request: [UInt8], isForRecordedOnly: Bool = false) {
        self.key = key
        self.isForRecordedOnly = isForRecordedOnly
        requestDigest = Crypto.sha256(request)
    }
}
