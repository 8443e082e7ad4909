import FoundationEssentials

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
    let items: [Item]
}
