/// One of the ways in which a campaign treats customers.
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

    /// What stands in the place of a variant's id for the customers who are held out; no variant may be called so.
    public static let holdout = "holdout"

    /// Kebab-case; stable.
    public let id: String
    /// Basis points of those let in.
    public let weight: Int
    /// None: it offers nothing.
    public let offers: [Offer]
    /// What Retention Messaging shows: the id (a UUID) of a text that was uploaded to the App Store; nil: nothing of ours.
    public let message: String?

    /// Takes the values as they are.
    public init(id: String, weight: Int, offers: [Offer] = [], message: String? = nil) {
        self.id = id
        self.weight = weight
        self.offers = offers
        self.message = message
    }

    /// Whether it neither offers nor shows anything, for comparison.
    public var isControl: Bool { offers.isEmpty && message == nil }
}
