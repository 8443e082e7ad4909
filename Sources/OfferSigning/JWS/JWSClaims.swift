public import FoundationEssentials
import WireText

/// The claims of a signature in the JWS form, for one of Apple's two purposes (docs/app-store.md#jws-signatures).
///
/// They are exactly those that Apple documents, because the App Store refuses a signature with any other claim, such as `exp`.
public struct JWSClaims: Sendable {
    /// The purpose of the signature, which determines `aud` and further claims.
    public enum Purpose: Sendable {
        /// A promotional offer. `transactionID` may be any transaction id of the customer, or the appTransactionId; nil leaves
        /// the claim out.
        case promotionalOffer(productID: String, offerID: String, transactionID: String?)
        /// An override of the eligibility for an introductory offer. It adds the claims `productId`, `allowIntroductoryOffer` and
        /// `transactionId`.
        case introductoryOfferEligibility(productID: String, allowed: Bool, transactionID: String)
    }

    /// The purpose of the signature.
    public let purpose: Purpose
    /// The issuer id from App Store Connect.
    public let issuerID: String
    /// The app's bundle id.
    public let bundleID: String
    /// The nonce. It is signed in lower case.
    public let nonce: UUID
    /// The time of signing, in ms since 1970. The claim `iat` has only the whole seconds.
    public let timestamp: Int64

    /// - Parameter timestamp: the time of signing, in ms since 1970.
    public init(purpose: Purpose, issuerID: String, bundleID: String, nonce: UUID, timestamp: Int64) {
        self.purpose = purpose
        self.issuerID = issuerID
        self.bundleID = bundleID
        self.nonce = nonce
        self.timestamp = timestamp
    }

    /// The claims as JSON.
    var json: [UInt8] {
        JSONWriter.bytes { json in
            json.append(raw: #"{"iss":"#)
            json.append(issuerID)
            json.append(raw: #","iat":"#)
            json.append(timestamp / 1000)
            json.append(raw: #","aud":"#)
            json.append(purpose.audience)
            json.append(raw: #","bid":"#)
            json.append(bundleID)
            json.append(raw: #","nonce":""#)
            json.append(unquoted: nonce)
            json.append(raw: "\"")
            appendPurpose(to: &json)
            json.append(raw: "}")
        }
    }

    private func appendPurpose(to json: inout JSONWriter) {
        switch purpose {
        case .promotionalOffer(let productID, let offerID, let transactionID):
            append("productId", productID, to: &json)
            append("offerIdentifier", offerID, to: &json)
            if let transactionID { append("transactionId", transactionID, to: &json) }
        case .introductoryOfferEligibility(let productID, let allowed, let transactionID):
            append("productId", productID, to: &json)
            json.append(raw: #","allowIntroductoryOffer":"#)
            json.append(raw: allowed ? "true" : "false")
            append("transactionId", transactionID, to: &json)
        }
    }

    private func append(_ name: String, _ value: String, to json: inout JSONWriter) {
        json.append(raw: ",")
        json.append(name)
        json.append(raw: ":")
        json.append(value)
    }
}

extension JWSClaims.Purpose {
    /// The values of the claim `aud`.
    static let (promotionalOffers, introductoryOffers) = ("promotional-offer", "introductory-offer-eligibility")

    fileprivate var audience: String {
        switch self {
        case .promotionalOffer: Self.promotionalOffers
        case .introductoryOfferEligibility: Self.introductoryOffers
        }
    }
}
