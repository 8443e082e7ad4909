package import EligibilityRules
import OfferStore
import WireText

/// A delivery as people see it: without ids of customers.
package struct EventLine: Sendable {
    /// Identifies the delivery in lists and requests.
    package let number: Int64
    package let endpoint: String
    /// The header `webhook-id`, which begins with `msg_`.
    package let id: String
    package let type: String
    package let at: Instant
    package let bundleID: String?
    package let environment: String?
    /// The customer's id, masked; nil if the event is about no customer.
    package let customerID: String?
    /// The state of the delivery: `pending`, `delivered` or `failed`.
    package let state: String
    package let attempts: Int
    package let dueAt: Instant?
    /// The last attempt; nil if there was none.
    package let lastAttempt: EventAttemptLine?
    /// The body of the message, with masked ids.
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

/// Masks the ids by which people who look at deliveries could recognise a customer.
enum EventMask {
    private static let names: Set<String> = [
        "customerId", "previousCustomerId", "appAccountToken", "applicationUsername", "appTransactionId", "transactionId",
        "originalTransactionId",
    ]

    /// Returns the last characters of an id after an ellipsis. Of a short id only the ellipsis is left.
    static func masked(_ id: String) -> String { "…" + (id.count > 8 ? id.suffix(4) : "") }

    /// Returns a body with masked ids. If the body is not JSON, the result is an empty object.
    static func masked(_ body: [UInt8]) -> [UInt8] {
        ((try? JSONValue(parsing: body)).map(masked) ?? .object([])).bytes
    }

    private static func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(masked))
        case .object(let members):
            .object(
                members.map { member in
                    guard names.contains(member.name), case .string(let id) = member.value else {
                        return JSONValue.Member(name: member.name, value: masked(member.value))
                    }
                    return JSONValue.Member(name: member.name, value: .string(masked(id)))
                })
        default: value
        }
    }
}
