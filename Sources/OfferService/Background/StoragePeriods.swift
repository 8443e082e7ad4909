/// The retention periods, in ms of time served.
package struct StoragePeriods: Sendable {
    /// Signatures and refusals; never below 25 hours, since a signature can be used for 24.
    package let ledger: Int64
    /// The content of notifications.
    package let notifications: Int64

    /// Takes the values, raised to at least 25 hours.
    package init(ledger: Int64, notifications: Int64) {
        self.ledger = max(ledger, 25 * 3600 * 1000)
        self.notifications = max(notifications, 25 * 3600 * 1000)
    }
}
