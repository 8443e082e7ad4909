import EligibilityRules
import Foundation
package import OfferStore

extension ServiceEvent {
    /// One with something in every field.
    package static func sample(
        _ type: String = "offer.signed",
        of customerID: String? = "kunde-ä",
        from previousCustomerID: String? = nil,
        key: String? = nil,
        app partition: AppPartition? = "com.example.app",
        at milliseconds: Int64 = 1,
        data: String = #"{"customerId":"kunde-ä"}"#
    ) -> ServiceEvent {
        ServiceEvent(
            id: UUID(), type: type, at: Instant(milliseconds: milliseconds), partition: partition,
            orderingKey: key ?? customerID ?? "none", customerID: customerID,
            previousCustomerID: previousCustomerID, data: Array(data.utf8))
    }
}

extension EventAttemptOutcome {
    /// The result of an attempt, made at an instant.
    package static func sample(
        _ number: Int64,
        _ state: EventDelivery.State = .delivered,
        at milliseconds: Int64 = 10,
        dueAt: Int64? = nil
    ) -> EventAttemptOutcome {
        EventAttemptOutcome(
            number: number,
            attempt: EventAttempt(
                at: Instant(milliseconds: milliseconds), milliseconds: 3, status: state == .delivered ? 204 : 500,
                fault: state == .delivered ? nil : "status 500"),
            state: state, dueAt: dueAt.map(Instant.init(milliseconds:)))
    }
}
