package import EligibilityRules
import WireText

/// One resource of a JSON:API document.
struct ConnectResource: Sendable {
    let id: String
    let type: String
    let attributes: AppleObject
    private let relationships: AppleObject?

    /// Nil without an id.
    init?(_ object: AppleObject) {
        guard let id = object.text("id"), !id.isEmpty else { return nil }
        self.id = id
        type = object.text("type") ?? ""
        attributes = object.object("attributes") ?? AppleObject(.object([]))!
        relationships = object.object("relationships")
    }

    /// Returns the id of a to-one relationship.
    func related(_ name: String) -> String? { relationships?.object(name)?.object("data")?.text("id") }
}

/// A subscription in App Store Connect.
package struct ConnectSubscription: Equatable, Sendable {
    package let productID: String
    /// The reference name.
    package let name: String
    /// 1 is the highest.
    package let level: Int64
    /// ISO 8601.
    package let period: String
    /// The regular prices of today by territory; empty where they were not wanted.
    package let prices: [String: Money]
    /// One for each variation between territories and times, the one of most territories first.
    package let introductoryOffers: [ConnectOffer]
    package let promotionalOffers: [ConnectOffer]
    package let winBackOffers: [ConnectOffer]
}
