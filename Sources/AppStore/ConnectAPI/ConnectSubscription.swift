package import EligibilityRules

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
