/// One of a campaign's treatments.
public struct CampaignVariant: Hashable, Sendable {
    /// A promotional offer of the catalogue.
    public struct Offer: Hashable, Sendable {
        /// Product id.
        public let productID: String
        /// Offer id.
        public let offerID: String

        /// Takes the values as they are.
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

    /// Stands in place of a variant's id for customers who are held out. No variant may have this id.
    public static let holdout = "holdout"
    /// The maximum length of a name, in bytes.
    public static let maxName = 60

    /// Kebab-case; stable.
    public let id: String
    /// The name for display; nil if the id is shown. Nothing is decided by it.
    public let name: String?
    /// The share of the enrolled customers, in basis points.
    public let weight: Int
    /// The offers; empty if the variant offers nothing.
    public let offers: [Offer]
    /// The text that Retention Messaging shows: the id (a UUID) of one uploaded to the App Store. Nil shows none of ours.
    public let message: String?

    /// Takes the values as they are.
    public init(id: String, name: String? = nil, weight: Int, offers: [Offer] = [], message: String? = nil) {
        self.id = id
        self.name = name
        self.weight = weight
        self.offers = offers
        self.message = message
    }

    /// The name, or the id where there is none.
    public var label: String { name ?? id }

    /// What decides: everything but the name.
    var withoutName: CampaignVariant { CampaignVariant(id: id, weight: weight, offers: offers, message: message) }

    /// Whether it is a control, which neither offers nor shows anything.
    public var isControl: Bool { offers.isEmpty && message == nil }
}
