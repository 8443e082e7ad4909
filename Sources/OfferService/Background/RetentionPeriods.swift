/// How long signatures with their nonces, refusals and notifications are kept: the retention periods, in ms of time served.
package struct RetentionPeriods: Sendable {
    /// Refusals, and signatures, whose nonces are kept as long; never below 25 hours, since a signature is valid for 24 hours.
    package let ledger: Int64
    /// The content of notifications.
    package let notifications: Int64

    /// Takes the values, raised to at least 25 hours.
    package init(ledger: Int64, notifications: Int64) {
        self.ledger = max(ledger, 25 * 3600 * 1000)
        self.notifications = max(notifications, 25 * 3600 * 1000)
    }
}
