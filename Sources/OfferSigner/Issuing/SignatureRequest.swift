import FoundationEssentials
import OfferStore
import WireText

/// What a caller wants signed, whichever way it came in.
struct SignatureRequest: Sendable {
    /// Which kind of signature.
    enum Form: String, CaseIterable, Sendable {
        case payload, jws
    }

    /// What one signature is for.
    enum Purpose: Equatable, Sendable {
        case promotionalOffer(offerID: String)
        /// `allowed` nil: as the eligibility rules say.
        case introductoryOffer(transactionID: String, allowed: Bool?)

        /// Whether it makes the App Store give what it would refuse.
        var isGrant: Bool {
            if case .introductoryOffer(_, true?) = self { true } else { false }
        }
    }

    /// One signature of the request.
    struct Item: Sendable {
        let productID: String
        let purpose: Purpose
        /// A nonce issued earlier; nil has one made.
        let nonce: UUID?
    }

    /// Nil when the caller leaves it to its only app.
    let bundleID: String?
    let customerID: String?
    /// Field 5 as it is to be signed.
    let applicationUsername: String
    let form: Form
    let transactionID: String?
    /// StoreKit 2 transactions (JWS) that the client brings along.
    var signedTransactions: [String] = []
    /// An original transaction that they have proved to be the customer's; set once they are verified.
    var provenTransactionID: String?
    let items: [Item]
}

extension SignatureRequest {
    /// Whose purchases decide about an item; nil when the request names nobody.
    ///
    /// StoreKit makes an `applicationUsername` that is a UUID the transaction's `appAccountToken`.
    func historyQuery(for item: Item, bundleID: String) -> HistoryQuery? {
        var transactionID = transactionID ?? provenTransactionID
        if case .introductoryOffer(let id, _) = item.purpose { transactionID = id }
        let token = UUID(text: applicationUsername) != nil ? applicationUsername : nil
        guard customerID != nil || token != nil || transactionID != nil else { return nil }
        return HistoryQuery(
            bundleID: bundleID, customerID: customerID, appAccountToken: token, transactionID: transactionID)
    }
}
