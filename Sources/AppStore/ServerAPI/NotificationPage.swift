/// One page of the notifications that the App Store has sent.
public struct NotificationPage: Equatable, Sendable {
    /// JWS of each notification.
    public let signedPayloads: [String]
    /// What to ask the next page with; nil when this is the last.
    public let nextPage: String?
}
