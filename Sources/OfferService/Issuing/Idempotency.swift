import OfferSigning

/// The `Idempotency-Key` of a request and the digest that tells the request from another.
package struct Idempotency: Sendable {
    package let key: String
    let requestDigest: [UInt8]
    /// Whether an answer that leaves nothing behind is not kept: the same question gets it again in any case.
    let isForRecordedOnly: Bool

    /// - Parameters:
    ///   - request: everything of the request that tells it from another.
    ///   - isForRecordedOnly: whether an answer that leaves nothing behind is not kept.
    package init(key: String, request: [UInt8], isForRecordedOnly: Bool = false) {
        self.key = key
        self.isForRecordedOnly = isForRecordedOnly
        requestDigest = Crypto.sha256(request)
    }
}
