/// Tells a notification of an app's from others.
package struct NotificationKey: Hashable, Sendable {
    /// The app, by a number of the store's.
    package let app: Int64
    /// As its record has it.
    package let key: [UInt8]

    /// Takes the values as they are.
    package init(app: Int64, key: [UInt8]) { (self.app, self.key) = (app, key) }
}
