package import EligibilityRules

/// Where in the app offers are asked for, and what the caller says of the customer: what campaigns look at besides purchases.
package struct OfferOccasion: Sendable {
    /// Nobody says anything.
    package static let none = OfferOccasion()

    /// Nil where nobody says.
    package let placement: String?
    /// Unverified.
    package let attributes: Attributes

    /// Takes the values as they are.
    package init(placement: String? = nil, attributes: Attributes = .none) {
        self.placement = placement
        self.attributes = attributes
    }
}
