package import EligibilityRules
import OfferStore
import WireText

/// A delivery as people see it: without ids of customers.
package struct EventLine: Sendable {
    /// Identifies the delivery.
    package let number: Int64
    package let endpoint: String
    /// `msg_…`, the header `webhook-id`.
    package let id: String
    package let type: String
    package let at: Instant
    package let bundleID: String?
    package let environment: String?
    /// The masked id; nil for none.
    package let customerID: String?
    /// `pending`, `delivered` or `failed`.
    package let state: String
    package let attempts: Int
    package let dueAt: Instant?
    /// The last attempt; nil before the first.
    package let lastAttempt: EventAttemptLine?
    /// The body, with masked ids.
    package let body: [UInt8]

    init(_ delivery: EventDelivery) {
        let event = delivery.event
        number = delivery.number
        endpoint = delivery.endpoint
        let message = EventMessage(event)
        id = message.id
        type = event.type
        at = event.at
        bundleID = event.partition?.bundleID
        environment = event.partition?.additionalEnvironment?.rawValue
        customerID = event.customerID.map(EventMask.masked)
        state = delivery.state.rawValue
        attempts = delivery.attempts
        dueAt = delivery.dueAt
        lastAttempt = delivery.lastAttempt.map(EventAttemptLine.init)
        body = EventMask.masked(message.body)
    }
}
