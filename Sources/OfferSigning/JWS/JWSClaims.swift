public import FoundationEssentials

/// What one of Apple's three request signatures says (APPLE.md §2).
///
/// There is no `exp`, and nothing besides these claims: the App Store refuses either.
public struct JWSClaims: Sendable {
    /// What the signature is for; decides `aud` and the further claims.
    public enum Purpose: Sendable {
        /// `transactionID` may be any transaction id of the customer or the appTransactionId.
        case promotionalOffer(productID: String, offerID: String, transactionID: String?)
        case introductoryOfferEligibility(productID: String, allowed: Bool, transactionID: String)
        /// `request` is the UTF-8 JSON of the Advanced Commerce request.
        case advancedCommerce(request: [UInt8])
    }

    /// What the signature is for.
    public let purpose: Purpose
    /// Issuer id from App Store Connect.
    public let issuerID: String
    /// The app's bundle id.
    public let bundleID: String
    /// The nonce.
    public let nonce: UUID
    /// Milliseconds since 1970; `iat` carries whole seconds.
    public let timestamp: Int64

    /// Takes the values as they are.
    public init(purpose: Purpose, issuerID: String, bundleID: String, nonce: UUID, timestamp: Int64) {
        self.purpose = purpose
        self.issuerID = issuerID
        self.bundleID = bundleID
        self.nonce = nonce
        self.timestamp = timestamp
    }

    /// The claims as JSON.
    var json: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(320)
        JSONText.append(raw: #"{"iss":"#, to: &text)
        JSONText.append(issuerID, to: &text)
        JSONText.append(raw: #","iat":"#, to: &text)
        JSONText.append(timestamp / 1000, to: &text)
        JSONText.append(raw: #","aud":"#, to: &text)
        JSONText.append(audience, to: &text)
        JSONText.append(raw: #","bid":"#, to: &text)
        JSONText.append(bundleID, to: &text)
        JSONText.append(raw: #","nonce":""#, to: &text)
        nonce.appendLowerCase(to: &text)
        JSONText.append(raw: "\"", to: &text)
        appendPurpose(to: &text)
        JSONText.append(raw: "}", to: &text)
        return text
    }

    private var audience: String {
        switch purpose {
        case .promotionalOffer: "promotional-offer"
        case .introductoryOfferEligibility: "introductory-offer-eligibility"
        case .advancedCommerce: "advanced-commerce-api"
        }
    }

    private func appendPurpose(to text: inout [UInt8]) {
        switch purpose {
        case .promotionalOffer(let productID, let offerID, let transactionID):
            append("productId", productID, to: &text)
            append("offerIdentifier", offerID, to: &text)
            if let transactionID { append("transactionId", transactionID, to: &text) }
        case .introductoryOfferEligibility(let productID, let allowed, let transactionID):
            append("productId", productID, to: &text)
            JSONText.append(raw: #","allowIntroductoryOffer":"#, to: &text)
            JSONText.append(raw: allowed ? "true" : "false", to: &text)
            append("transactionId", transactionID, to: &text)
        case .advancedCommerce(let request):
            append("request", Base64.encode(request), to: &text)
        }
    }

    private func append(_ name: String, _ value: String, to text: inout [UInt8]) {
        JSONText.append(raw: ",", to: &text)
        JSONText.append(name, to: &text)
        JSONText.append(raw: ":", to: &text)
        JSONText.append(value, to: &text)
    }
}
