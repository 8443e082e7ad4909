/// Identifies a notification of an app.
package struct NotificationKey: Hashable, Sendable {
    /// The app, by the store's number.
    package let app: Int64
    /// The key of its record.
    package let key: [UInt8]

    package init(app: Int64, key: [UInt8]) { (self.app, self.key) = (app, key) }
}
