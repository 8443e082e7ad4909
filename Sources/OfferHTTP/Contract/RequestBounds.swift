import OfferService

/// How many elements the lists of a request may have, and in which range its numbers may be.
///
/// The code that reads requests and the OpenAPI document both take the bounds from here.
enum RequestBounds {
    /// Nonces of one request.
    static let nonces = 1...100
    /// Offers, or products, that one request has signed.
    static let signatures = 1...20
    /// Signed transactions of a request for signatures.
    static let signedTransactions = 0...20
    /// Signed transactions of a question about eligibility or offers.
    static let histories = 0...200
    /// Signed transactions, or renewal infos, of a submission.
    static let suppliedTransactions = 0...500
    /// Products that eligibility is asked for.
    static let products = 1...100
    /// Apps that an access key is for.
    static let apps = 1...1000
    /// Revisions of a campaign.
    static let revisions = 1...Int(Int32.max)
    /// Instants in ms since 1970, up to the last year that ISO 8601 writes with four digits.
    static let instants = AccessKeyRequest.ends
}

/// The largest bodies, in bytes.
enum BodySize {
    /// For a request about one customer, with the signed transactions that the client has.
    static let usual = 1 << 20
    /// For a document of the App Store: a notification, or a receipt.
    ///
    /// Some receipts have 5 MB.
    static let document = 16 << 20
}

extension ObjectReader {
    /// An optional whole number within declared bounds; nil when absent or at fault.
    func optionalInteger(_ name: String, in range: ClosedRange<Int>) -> Int? {
        optionalInteger(name, in: Int64(range.lowerBound)...Int64(range.upperBound)).map(Int.init)
    }
}
