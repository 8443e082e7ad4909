package import EligibilityRules

/// The placement and the attributes of a request for offers: what campaigns look at besides purchases.
package struct OfferOccasion: Sendable {
    /// Without a placement and attributes.
    package static let none = OfferOccasion()

    /// The App Store asks on behalf of a customer who is about to cancel.
    ///
    /// - Parameter locale: the device's.
    static func retention(locale: String?) -> OfferOccasion {
        let attributes = locale.map { Attributes(["locale": .text($0)]) } ?? .none
        return OfferOccasion(placement: Campaign.retentionPlacement, attributes: attributes)
    }

    /// Whether the App Store asks, which expects a single answer.
    var isRetention: Bool { placement == Campaign.retentionPlacement }

    /// Nil if none is given.
    package let placement: String?
    /// Not verified.
    package let attributes: Attributes

    package init(placement: String? = nil, attributes: Attributes = .none) {
        self.placement = placement
        self.attributes = attributes
    }
}
