/// One of a campaign's treatments.
public struct CampaignVariant: Hashable, Sendable {
    /// A promotional offer of the catalogue.
    public struct Offer: Hashable, Sendable {
        /// Product id.
        public let productID: String
        /// Offer id.
        public let offerID: String

        /// Stores the given values without checking them.
        public init(productID: String, offerID: String) {
            self.productID = productID
            self.offerID = offerID
        }

        /// Compares ids byte by byte.
        public static func == (left: Offer, right: Offer) -> Bool {
            ExactText(left.productID) == ExactText(right.productID) && ExactText(left.offerID) == ExactText(right.offerID)
        }

        /// Hashes the bytes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(productID))
            hasher.combine(ExactText(offerID))
        }
    }

    /// Whether customers get the introductory offer of a product.
    public struct IntroductoryOffer: Hashable, Sendable {
        /// Product id.
        public let productID: String
        /// True gives the offer, false withholds it.
        ///
        /// Without a campaign the App Store decides.
        public let isAllowed: Bool

        /// Stores the given values without checking them.
        public init(productID: String, isAllowed: Bool) {
            self.productID = productID
            self.isAllowed = isAllowed
        }

        /// Compares ids byte by byte.
        public static func == (left: IntroductoryOffer, right: IntroductoryOffer) -> Bool {
            ExactText(left.productID) == ExactText(right.productID) && left.isAllowed == right.isAllowed
        }

        /// Hashes the bytes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(productID))
            hasher.combine(isAllowed)
        }
    }

    /// Another product that Retention Messaging proposes to a subscriber who is about to cancel.
    public struct Switch: Hashable, Sendable {
        /// Product id.
        public let productID: String
        /// The billing plan; nil for the one that the App Store takes by default.
        public let billingPlan: BillingPlan?

        /// Stores the given values without checking them.
        public init(productID: String, billingPlan: BillingPlan? = nil) {
            self.productID = productID
            self.billingPlan = billingPlan
        }

        /// Compares ids byte by byte.
        public static func == (left: Switch, right: Switch) -> Bool {
            ExactText(left.productID) == ExactText(right.productID) && left.billingPlan == right.billingPlan
        }

        /// Hashes the bytes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(productID))
            hasher.combine(billingPlan)
        }
    }

    /// What stands in place of a variant's id for customers who are held out.
    ///
    /// No variant may have this id.
    public static let holdout = "holdout"
    /// The maximum length of a name, in bytes.
    public static let maxName = 60

    /// The variant's id in kebab-case, which never changes.
    public let id: String
    /// The name for display, which decides nothing; nil if the id is shown.
    public let name: String?
    /// The share of the enrolled customers that receives this variant, in basis points.
    public let weight: Int
    /// The promotional offers; empty if the variant gives none.
    public let offers: [Offer]
    /// Whether customers get an introductory offer; nil if the App Store decides.
    public let introductoryOffer: IntroductoryOffer?
    /// An address at which the App Store gives an offer, such as a win-back offer or an offer code; nil if the variant has none.
    public let link: String?
    /// The product that Retention Messaging proposes; nil if it proposes none.
    public let switchTo: Switch?
    /// The id (a UUID) of the message that Retention Messaging shows, as it was uploaded to the App Store.
    ///
    /// Nil means that the App Store shows no message of this company.
    public let message: String?

    /// Stores the given values without checking them.
    public init(
        id: String,
        name: String? = nil,
        weight: Int,
        offers: [Offer] = [],
        introductoryOffer: IntroductoryOffer? = nil,
        link: String? = nil,
        switchTo: Switch? = nil,
        message: String? = nil
    ) {
        self.id = id
        self.name = name
        self.weight = weight
        self.offers = offers
        self.introductoryOffer = introductoryOffer
        self.link = link
        self.switchTo = switchTo
        self.message = message
    }

    /// The name, or the id where there is none.
    public var label: String { name ?? id }

    /// The variant without its name, so that a comparison sees only what decides.
    var withoutName: CampaignVariant {
        CampaignVariant(
            id: id, weight: weight, offers: offers, introductoryOffer: introductoryOffer, link: link, switchTo: switchTo,
            message: message)
    }

    /// Whether the variant can be a control: it neither gives, nor withholds, nor shows anything.
    public var isControl: Bool {
        offers.isEmpty && introductoryOffer == nil && link == nil && switchTo == nil && message == nil
    }
}
