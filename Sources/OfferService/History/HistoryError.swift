import OfferSigning

/// Why purchases cannot be taken in or looked up.
package enum HistoryError: Error, Equatable {
    /// The App Store did not sign a transaction of the request for this app.
    case signedDataRejected(field: String, code: String, detail: String)
    /// The subscription belongs to another customer.
    case boundToAnotherCustomer
    /// The alias belongs to another customer already.
    case aliasOfAnotherCustomer
    /// A notification did not come from the App Store, or is for another app; the code says which.
    case notAuthentic(code: String, detail: String)
    /// The body is not a notification.
    case malformedNotification(String)
    /// Too many notifications are being examined. The App Store sends this one again later.
    case busy
    /// The App Store could not be reached, or gave no usable answer. `retryAfter` is in seconds.
    case appStoreFailed(code: String, detail: String, retryAfter: Int64)
    /// The App Store has nothing under this id, or refused the receipt.
    ///
    /// `isFinal` says whether the answer has one of Apple's own codes. An answer without one may come from a proxy in between.
    case refusedByAppStore(code: String, detail: String, isFinal: Bool)
    /// The document that a backend submitted cannot be used.
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

    // If data that the App Store has signed seems to come from the future, this machine's clock is behind. The service then
    // refuses all recent data.
    private static func signedData(_ code: String, _ detail: String) -> Failure {
        Failure(code == SignedDataError.Code.signedInFuture.rawValue ? .clock : .appStore, code, detail)
    }
}
