import AppStore
import OfferSigning
import OfferStore

extension Failure {
    /// The code for kept receipts that cannot be read, because their secret is not in the key folder.
    static let unreadableReceipt = "receipt-unreadable"

    /// The failures that this release can name, by subject and code.
    ///
    /// Their counts are reported from the start, as 0. Prometheus sees growth only from one value to the next. If the first value
    /// that it sees is not 0, the first failures raise no alert, however many they are.
    package static let known: [(subject: Subject, codes: [String])] = [
        (.store, StoreError.Code.all.map(\.rawValue)),
        (.keys, SigningError.Code.allCases.map(\.rawValue) + ["not-ready", unreadableReceipt]),
        (.clock, ["not-ready", SignedDataError.Code.signedInFuture.rawValue]),
        (.appStore, AppStoreError.Code.allCases.map(\.rawValue) + SignedDataError.Code.allCases.map(\.rawValue)),
        (
            .tokenIssuer,
            [
                "token-keys-unavailable", "token-keys-unreadable", "token-keys-timed-out", "token-keys-too-long",
                "token-keys-unreachable", "token-keys-refused", TokenError.Code.malformedKeySet.rawValue,
            ]
        ),
        (.load, ["not-ready", "busy", "given-up", "too-many-retention-requests"]),
        (.service, ["not-ready", "internal-error", "campaign-left-out", "malformed-request"]),
    ]
}
