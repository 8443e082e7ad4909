/// A subscription as App Store Connect has it.
package struct ConnectSubscription: Equatable, Sendable {
    package let productID: String
    /// What people in the company call it.
    package let name: String
    /// 1 is the highest.
    package let level: Int64
    /// ISO 8601.
    package let period: String
    /// One for each way in which it differs between territories and times, that of most territories first.
    package let introductoryOffers: [ConnectOffer]
    package let promotionalOffers: [ConnectOffer]
    package let winBackOffers: [ConnectOffer]
}
