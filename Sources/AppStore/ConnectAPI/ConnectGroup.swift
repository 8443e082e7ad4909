/// A subscription group as App Store Connect has it.
package struct ConnectGroup: Equatable, Sendable {
    /// As transactions name it.
    package let id: String
    /// What people in the company call it.
    package let name: String
    /// In the order of level and product id.
    package let subscriptions: [ConnectSubscription]
}
