import AppStore
import EligibilityRules
import FoundationEssentials
import WireText

/// What the App Store is to show a customer, as the campaigns have decided.
struct RetentionChoice {
    /// Every answer with an offer begins with these bytes.
    static let offerPrefix = Array(#"{"promotionalOffer""#.utf8)
    /// Every answer with another product begins with these bytes.
    static let productPrefix = Array(#"{"alternateProduct""#.utf8)

    /// The answer; nil if the App Store is to show what is set in App Store Connect.
    let answer: RetentionAnswer?

    private init(_ answer: RetentionAnswer?) { self.answer = answer }

    /// - Parameters:
    ///   - issued: the answer to a request for one offer of campaigns.
    ///   - productID: the product to which the customer is subscribed.
    init(_ issued: IssuedOffers, to productID: String, of app: App) {
        // A customer who is held out gets the same answer as if there were no campaign.
        guard let assignment = issued.assignments.first(where: { $0.allocation != .heldOut }),
            case .assigned(let place) = assignment.allocation
        else {
            self = .fallback(of: app)
            return
        }
        let variant = assignment.revision.campaign.design.variants[place]
        if variant.isControl {
            self.init(nil)
        } else if let message = variant.message.flatMap({ UUID(text: $0) }), let other = variant.switchTo {
            // The text speaks of another product, which it must be, and of the same group, because the App Store proposes no other.
            let isOther =
                ExactText(other.productID) != ExactText(productID) && app.shareGroup(other.productID, productID)
            self =
                isOther
                ? RetentionChoice(
                    .alternateProduct(
                        message: message, productID: other.productID, billingPlanType: other.billingPlan?.appleName))
                : .fallback(of: app)
        } else if let message = variant.message.flatMap({ UUID(text: $0) }), variant.offers.isEmpty {
            self.init(.message(message))
        } else if let message = variant.message.flatMap({ UUID(text: $0) }), let jws = issued.results.first?.jws {
            self.init(.promotionalOffer(message: message, signature: .v2(jws)))
        } else {
            // The campaign's text mentions an offer that cannot be given, for example because its limit is used up.
            self = .fallback(of: app)
        }
    }

    /// The answer if no campaign decides.
    static func fallback(of app: App) -> RetentionChoice {
        RetentionChoice(app.answers.retentionMessage.map(RetentionAnswer.message))
    }

    /// The answer as JSON; empty if there is no answer.
    var bytes: [UInt8] { answer?.bytes ?? [] }
}

extension App {
    /// Whether two products are in the same group, as far as the App Store has said or the catalogue knows.
    fileprivate func shareGroup(_ one: String, _ other: String) -> Bool {
        func group(_ productID: String) -> String? {
            groups.current.group(ofProduct: productID) ?? catalogue.product(productID)?.groupID
        }
        guard let one = group(one), let other = group(other) else { return true }
        return ExactText(one) == ExactText(other)
    }
}

extension OfferResult {
    fileprivate var jws: String? {
        if case .signed(let offer) = outcome, case .jws(let text) = offer.token { text } else { nil }
    }
}
