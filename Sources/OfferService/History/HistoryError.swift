import OfferSigning

/// Why purchase history cannot be taken in or asked for.
package enum HistoryError: Error, Equatable {
    /// A signed transaction of a request is not what the App Store signed for this app.
    case signedDataRejected(field: String, code: String, detail: String)
    /// The subscription is another customer's.
    case boundToAnotherCustomer
    /// The name that is to become a customer's is another customer's already.
    case aliasOfAnotherCustomer
    /// A notification that did not come from the App Store, or is for another app; the code says how.
    case notAuthentic(code: String, detail: String)
    /// A notification that is none.
    case malformedNotification(String)
    /// Too many notifications are being looked at; the App Store sends this one again.
    case busy
    /// The App Store could not be asked, or gave no usable answer; when to try again, in seconds.
    case appStoreFailed(code: String, detail: String, retryAfter: Int64)
    /// The App Store has nothing under this id, or did not take the receipt.
    ///
    /// `isFinal`: Apple's own word, with a code of Apple's, not that of something on the way.
    case refusedByAppStore(code: String, detail: String, isFinal: Bool)
    /// The document that a backend handed in cannot be used.
    case unusableDocument(field: String, reason: String)
}

extension HistoryError: FailureDescribing {
    package var asFailure: Failure {
        switch self {
        case .appStoreFailed(let code, let detail, _), .refusedByAppStore(let code, let detail, _):
            Failure(.appStore, code, detail)
        case .notAuthentic(let code, let detail): HistoryError.signedData(code, detail)
        case .signedDataRejected(_, let code, let detail): HistoryError.signedData(code, detail)
        case .busy: Failure(.load, "busy", "too many notifications at once")
        default: .unexpected(self)
        }
    }

    // Genuine, and from the future: then it is we who are in the past, and refuse whatever comes.
    private static func signedData(_ code: String, _ detail: String) -> Failure {
        Failure(code == SignedDataError.Code.signedInFuture.rawValue ? .clock : .appStore, code, detail)
    }
}
