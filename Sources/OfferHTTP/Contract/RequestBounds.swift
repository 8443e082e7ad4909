import OfferService

/// How many elements the lists of a request may have, and in which range its numbers may be.
///
/// The code that reads requests and the OpenAPI document both take the bounds from here.
enum RequestBounds {
    /// The number of nonces that one request may ask for.
    static let nonces = 1...100
    /// The number of offers, or products, for which one request may ask for signatures.
    static let signatures = 1...20
    /// The number of signed transactions in a request for signatures.
    static let signedTransactions = 0...20
    /// The number of signed transactions in a request about eligibility or offers.
    static let histories = 0...200
    /// The number of signed transactions, or of renewal infos, that a backend may send at once.
    static let suppliedTransactions = 0...500
    /// The number of products in a request about eligibility.
    static let products = 1...100
    /// The number of apps for which an access key can be.
    static let apps = 1...1000
    /// The numbers of a campaign's revisions.
    static let revisions = 1...Int(Int32.max)
    /// Instants in ms since 1970. The last year is 9999, because ISO 8601 writes years with four digits.
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
    /// Reads an optional whole number within declared bounds; nil if it is absent or faulty.
    func optionalInteger(_ name: String, in range: ClosedRange<Int>) -> Int? {
        optionalInteger(name, in: Int64(range.lowerBound)...Int64(range.upperBound)).map(Int.init)
    }
}
