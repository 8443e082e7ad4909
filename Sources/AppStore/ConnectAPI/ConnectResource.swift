package import EligibilityRules
import WireText

/// One resource of a JSON:API document.
struct ConnectResource: Sendable {
    let id: String
    let type: String
    let attributes: AppleObject
    private let relationships: AppleObject?

    /// Returns nil if the object has no id.
    init?(_ object: AppleObject) {
        guard let id = object.text("id"), !id.isEmpty else { return nil }
        self.id = id
        type = object.text("type") ?? ""
        attributes = object.object("attributes") ?? AppleObject(.object([]))!
        relationships = object.object("relationships")
    }

    /// Returns the id of the resource to which a to-one relationship of this name leads; nil if there is none.
    func related(_ name: String) -> String? { relationships?.object(name)?.object("data")?.text("id") }
}

/// A subscription in App Store Connect.
package struct ConnectSubscription: Equatable, Sendable {
    package let productID: String
    /// The reference name, which only the company sees.
    package let name: String
    /// The level of service within the group; 1 is the highest.
    package let level: Int64
    /// The length of a period, in ISO 8601.
    package let period: String
    /// The regular prices of today, by territory; empty if prices were not read.
    package let prices: [String: Money]
    /// The regular prices of a month, for customers who commit to twelve months; empty if there is no such plan, or if prices were
    /// not read.
    package let monthlyPrices: [String: Money]
    /// The introductory offers. There may be several, because App Store Connect can have another one for each territory and time.
    ///
    /// An offer for all territories comes first. The others follow, those for the most territories first.
    package let introductoryOffers: [ConnectOffer]
    package let promotionalOffers: [ConnectOffer]
    package let winBackOffers: [ConnectOffer]
}
