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

    /// Kebab-case; stable.
    public let id: String
    /// Basis points of those let in.
    public let weight: Int
    /// None: a control.
    public let offers: [Offer]

    /// Takes the values as they are.
    public init(id: String, weight: Int, offers: [Offer] = []) {
        self.id = id
        self.weight = weight
        self.offers = offers
    }

    /// Whether it offers nothing, for comparison.
    public var isControl: Bool { offers.isEmpty }
}
