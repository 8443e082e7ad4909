package import EligibilityRules

/// Where in the app offers are asked for, and what the caller says of the customer: what campaigns look at besides purchases.
package struct OfferOccasion: Sendable {
    /// Nobody says anything.
    package static let none = OfferOccasion()

    /// The App Store asks on behalf of somebody who is about to cancel.
    ///
    /// - Parameter locale: the device's.
    static func retention(locale: String?) -> OfferOccasion {
        let attributes = locale.map { Attributes(["locale": .text($0)]) } ?? .none
        return OfferOccasion(placement: Campaign.retentionPlacement, attributes: attributes)
    }

    /// Whether the App Store asks, which is answered with one thing.
    var isRetention: Bool { placement == Campaign.retentionPlacement }

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
