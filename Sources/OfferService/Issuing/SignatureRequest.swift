import EligibilityRules
package import FoundationEssentials
import OfferSigning
import OfferStore
import WireText

/// A request for signatures, whichever way it comes in.
package struct SignatureRequest: Sendable {
    /// The form of a signature.
    package enum Form: String, CaseIterable, Sendable {
        case payload, jws
    }

    /// The purpose of one signature.
    package enum Purpose: Equatable, Sendable {
        case promotionalOffer(offerID: String)
        /// An offer that campaigns choose: for the item's product or, if that is empty, for any product.
        case campaignOffer
        /// An override of introductory-offer eligibility with the value `allowed`; nil if the eligibility rules are to decide.
        case introductoryOffer(transactionID: String, allowed: Bool?)

        /// Whether it is an override of introductory-offer eligibility.
        var isIntroductory: Bool {
            if case .introductoryOffer = self { true } else { false }
        }

        /// Whether it makes the App Store grant what it would refuse.
        var isGrant: Bool {
            if case .introductoryOffer(_, true?) = self { true } else { false }
        }
    }

    /// One signature of the request.
    package struct Item: Sendable {
        package let productID: String
        package let purpose: Purpose
        /// A nonce that was issued earlier; nil if a new one is to be made.
        package let nonce: UUID?

        package init(productID: String, purpose: Purpose, nonce: UUID?) {
            self.productID = productID
            self.purpose = purpose
            self.nonce = nonce
        }

        /// The item with an offer that a campaign has chosen.
        func choosing(_ offer: CampaignVariant.Offer) -> Item {
            Item(productID: offer.productID, purpose: .promotionalOffer(offerID: offer.offerID), nonce: nonce)
        }
    }

    /// The buyer, whose purchases decide.
    package private(set) var customer: CustomerReference
    /// Field 5 as it is to be signed.
    package let applicationUsername: String
    package let form: Form
    /// The transaction that a JWS names.
    package let transactionID: String?
    let items: [Item]
    /// Whether an outstanding signature is to be returned in place of a new one.
    let reuse: Bool
    /// What campaigns look at, if one of the items asks for them.
    let occasion: OfferOccasion

    /// Makes a request, whose `applicationUsername` also names the customer if it is a UUID.
    ///
    /// The reason is that StoreKit stores such a name as the transaction's `appAccountToken`.
    package init(
        customer: CustomerReference,
        applicationUsername: String = "",
        form: Form,
        items: [Item],
        reuse: Bool = false,
        occasion: OfferOccasion = .none
    ) {
        self.customer = UUID(text: applicationUsername) == nil ? customer : customer.naming(accountToken: applicationUsername)
        self.reuse = reuse
        self.occasion = occasion
        self.applicationUsername = applicationUsername
        self.form = form
        transactionID = customer.transactionID
        self.items = items
    }
}

extension SignatureRequest {
    /// A user name as it is signed: a UUID in lower case, any other as it is.
    package static func normalisedUsername(_ username: String) -> String { OfferPayload.normalisedUsername(username) }

    /// The request as this caller may make it: for an end user, only the user's own names identify the customer.
    ///
    /// Throws an `EndUserRefusal` if an end user names an Apple account, which may be another customer's.
    /// A transaction or user name in the request is signed without a check, because the signature is useless to any customer whom
    /// it does not name.
    func asked(by caller: Caller) throws(EndUserRefusal) -> SignatureRequest {
        guard let endUser = caller.endUser else { return self }
        if customer.appTransactionID != nil { throw .naming("appTransactionId") }
        var request = self
        request.customer = customer.naming(endUser)
        return request
    }

    /// Whether campaigns choose any of the offers.
    var asksCampaigns: Bool { items.contains { $0.purpose == .campaignOffer } }

    /// The buyer of an item.
    ///
    /// An override names a transaction of its own, whose buyer counts. An end user cannot vouch for a transaction, so for end
    /// users the token's customer counts.
    func customer(ofItem item: Item, for caller: Caller) -> CustomerReference {
        guard caller.endUser == nil, case .introductoryOffer(let id, _) = item.purpose else { return customer }
        return customer.naming(transactionID: id)
    }
}
