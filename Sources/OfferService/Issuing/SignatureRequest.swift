import EligibilityRules
package import FoundationEssentials
import OfferSigning
import OfferStore
import WireText

/// A request for signatures, in the same form for all ways in which it may arrive.
package struct SignatureRequest: Sendable {
    /// The form of a signature.
    package enum Form: String, CaseIterable, Sendable {
        case payload, jws
    }

    /// What one signature is for.
    package enum Purpose: Equatable, Sendable {
        case promotionalOffer(offerID: String)
        /// An offer that campaigns choose: for the item's product or, if that is empty, for any product.
        case campaignOffer
        /// An override of introductory-offer eligibility, whose value comes from this source.
        case introductoryOffer(transactionID: String, IntroductoryAllowance)

        /// Whether the signature is an override of introductory-offer eligibility.
        var isIntroductory: Bool {
            if case .introductoryOffer = self { true } else { false }
        }

        /// Whether the signature makes the App Store grant an introductory offer that it would refuse.
        var isGrant: Bool {
            if case .introductoryOffer(_, .given(true)) = self { true } else { false }
        }

        /// Whether campaigns decide about the item.
        var asksCampaigns: Bool {
            switch self {
            case .campaignOffer, .introductoryOffer(_, .byCampaigns): true
            case .promotionalOffer, .introductoryOffer: false
            }
        }
    }

    /// Where the value of an override of introductory-offer eligibility comes from.
    package enum IntroductoryAllowance: Equatable, Sendable {
        /// The caller has decided.
        case given(Bool)
        /// The eligibility rules decide.
        case byRules
        /// The campaigns decide; if none does, the eligibility rules.
        case byCampaigns
    }

    /// One signature of the request.
    package struct Item: Sendable {
        package let productID: String
        package let purpose: Purpose
        /// The nonce, which the service issued earlier; nil if a new nonce is to be made.
        package let nonce: UUID?

        package init(productID: String, purpose: Purpose, nonce: UUID?) {
            self.productID = productID
            self.purpose = purpose
            self.nonce = nonce
        }

        /// The same item, with the offer that a campaign has chosen.
        func choosing(_ offer: CampaignVariant.Offer) -> Item {
            Item(productID: offer.productID, purpose: .promotionalOffer(offerID: offer.offerID), nonce: nonce)
        }
    }

    /// The buyer. Signatures depend on the buyer's purchases.
    package var customer: CustomerReference
    /// The user name as it is signed (field 5 of the payload form).
    package let applicationUsername: String
    package let form: Form
    /// The transaction id that a signature in the JWS form names.
    package let transactionID: String?
    let items: [Item]
    /// What campaigns look at, if one of the items asks for them.
    let occasion: OfferOccasion

    /// Makes a request. If `applicationUsername` is a UUID, it also names the customer.
    ///
    /// StoreKit stores such a user name as the transaction's `appAccountToken`.
    package init(
        customer: CustomerReference,
        applicationUsername: String = "",
        form: Form,
        items: [Item],
        occasion: OfferOccasion = .none
    ) {
        self.customer = UUID(text: applicationUsername) == nil ? customer : customer.naming(accountToken: applicationUsername)
        self.occasion = occasion
        self.applicationUsername = applicationUsername
        self.form = form
        transactionID = customer.transactionID
        self.items = items
    }
}

extension SignatureRequest {
    /// A user name as it is signed. A UUID becomes lower case; any other name stays as it is.
    package static func normalisedUsername(_ username: String) -> String { OfferPayload.normalisedUsername(username) }

    /// The request as this caller may make it. If the caller is an end user, only the names that the token proves identify the
    /// customer.
    ///
    /// Throws an `EndUserRefusal` if an end user names an Apple account, because it may be another customer's.
    /// A transaction id or a user name in the request is signed without a check. The signature is useless to any customer whom it
    /// does not name.
    func asked(by caller: Caller) throws(EndUserRefusal) -> SignatureRequest {
        guard let endUser = caller.endUser else { return self }
        if customer.appTransactionID != nil { throw .naming("appTransactionId") }
        var request = self
        request.customer = customer.naming(endUser)
        return request
    }

    /// Whether campaigns decide about at least one of the items.
    var asksCampaigns: Bool { items.contains(where: \.purpose.asksCampaigns) }

    /// The buyer of an item.
    ///
    /// An override names a transaction, and the buyer of that transaction counts. An end user, however, cannot vouch for a
    /// transaction, so for an end user the customer in the token counts.
    func customer(ofItem item: Item, for caller: Caller) -> CustomerReference {
        guard caller.endUser == nil, case .introductoryOffer(let id, _) = item.purpose else { return customer }
        return customer.naming(transactionID: id)
    }
}
