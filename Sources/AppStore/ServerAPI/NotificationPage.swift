/// One page of the notifications that the App Store has sent.
public struct NotificationPage: Equatable, Sendable {
    /// The JWS of each notification.
    public let signedPayloads: [String]
    /// The token of the next page; nil on the last page.
    public let nextPage: String?
}
