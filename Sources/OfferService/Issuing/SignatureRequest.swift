import EligibilityRules
package import FoundationEssentials
import OfferSigning
import OfferStore
import WireText

/// What a caller wants signed, whichever way it came in.
package struct SignatureRequest: Sendable {
    /// Which kind of signature.
    package enum Form: String, CaseIterable, Sendable {
        case payload, jws
    }

    /// What one signature is for.
    package enum Purpose: Equatable, Sendable {
        case promotionalOffer(offerID: String)
        /// One that campaigns choose: of the item's product, or of any if that is empty.
        case campaignOffer
        /// `allowed` nil: as the eligibility rules say.
        case introductoryOffer(transactionID: String, allowed: Bool?)

        /// Whether it makes the App Store give what it would refuse.
        var isGrant: Bool {
            if case .introductoryOffer(_, true?) = self { true } else { false }
        }
    }

    /// One signature of the request.
    package struct Item: Sendable {
        package let productID: String
        package let purpose: Purpose
        /// A nonce issued earlier; nil has one made.
        package let nonce: UUID?

        /// Takes the values as they are.
        package init(productID: String, purpose: Purpose, nonce: UUID?) {
            self.productID = productID
            self.purpose = purpose
            self.nonce = nonce
        }

        /// The same with an offer that a campaign has chosen.
        func choosing(_ offer: CampaignVariant.Offer) -> Item {
            Item(productID: offer.productID, purpose: .promotionalOffer(offerID: offer.offerID), nonce: nonce)
        }
    }

    package private(set) var customerID: String?
    /// Field 5 as it is to be signed.
    package let applicationUsername: String
    package let form: Form
    package let transactionID: String?
    /// The Apple account, by its `appTransactionId`.
    package let appTransactionID: String?
    /// StoreKit 2 transactions (JWS) that the client brings along.
    var signedTransactions: [String] = []
    /// An original transaction that they have proved to be the customer's; set once they are verified.
    var provenTransactionID: String?
    let items: [Item]
    /// Whether a signature that is outstanding is to come again in place of a new one.
    let reuse: Bool
    /// What campaigns look at, where one of the items asks them.
    let occasion: OfferOccasion
    /// The customer who asks without a backend in between; nil for a caller who is believed to know whom it asks for.
    private(set) var endUser: EndUser?

    /// Takes the values as they are.
    package init(
        customerID: String?,
        applicationUsername: String,
        form: Form,
        transactionID: String?,
        appTransactionID: String? = nil,
        signedTransactions: [String] = [],
        provenTransactionID: String? = nil,
        items: [Item],
        reuse: Bool = false,
        occasion: OfferOccasion = .none
    ) {
        self.reuse = reuse
        self.occasion = occasion
        self.customerID = customerID
        self.applicationUsername = applicationUsername
        self.form = form
        self.transactionID = transactionID
        self.appTransactionID = appTransactionID
        self.signedTransactions = signedTransactions
        self.provenTransactionID = provenTransactionID
        self.items = items
    }
}

extension SignatureRequest {
    /// A user name as it is signed: what is a UUID in lower case.
    package static func normalisedUsername(_ username: String) -> String { OfferPayload.normalisedUsername(username) }

    /// The request as its caller may make it: an end user asks for nobody else.
    ///
    /// What names a transaction or a user name is signed all the same: it makes the signature useless to anybody else.
    func asked(by caller: Caller) throws(EndUserRefusal) -> SignatureRequest {
        guard let endUser = caller.endUser else { return self }
        if appTransactionID != nil { throw .naming("appTransactionId") }
        var request = self
        request.customerID = endUser.customerID
        request.endUser = endUser
        return request
    }

    /// Whether campaigns choose any of the offers.
    var asksCampaigns: Bool { items.contains { $0.purpose == .campaignOffer } }

    /// The account token that is believed to be the customer's.
    ///
    /// StoreKit makes an `applicationUsername` that is a UUID the transaction's `appAccountToken`.
    var namingToken: String? {
        if let endUser { return endUser.accountToken }
        return UUID(text: applicationUsername) != nil ? applicationUsername : nil
    }

    /// The transaction that is believed to be the customer's.
    var namingTransactionID: String? { endUser == nil ? transactionID : nil }

    /// Whose purchases decide about an item; nil when the request names nobody.
    func historyQuery(for item: Item, bundleID: String, isWhole: Bool) -> HistoryQuery? {
        var transactionID = namingTransactionID ?? provenTransactionID
        if endUser == nil, case .introductoryOffer(let id, _) = item.purpose { transactionID = id }
        let token = namingToken
        guard customerID != nil || token != nil || transactionID != nil || appTransactionID != nil else { return nil }
        return HistoryQuery(
            bundleID: bundleID, customerID: customerID, appAccountToken: token, transactionID: transactionID,
            appTransactionID: appTransactionID, isWhole: isWhole)
    }
}
