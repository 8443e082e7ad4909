/// A subscription group in App Store Connect.
package struct ConnectGroup: Equatable, Sendable {
    /// The id, as transactions name it.
    package let id: String
    /// The reference name.
    package let name: String
    /// Ordered by level and product id.
    package let subscriptions: [ConnectSubscription]
}
