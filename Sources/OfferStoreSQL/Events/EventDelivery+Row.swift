import EligibilityRules
import OfferStore

extension EventDelivery {
    /// Selects what `init(_:)` reads, from `event_delivery`, joined with `event` and the last attempt.
    static let selection = """
        SELECT delivery.number, endpoint, state, delivery.attempts, due_at, event.id, type, event.at, bundle_id,
            event.ordering_key, customer_id, previous_customer_id, data, attempt.at, milliseconds, status, fault
        FROM event_delivery AS delivery JOIN event ON event.number = delivery.event
        LEFT JOIN event_attempt AS attempt ON attempt.delivery = delivery.number AND attempt.place = (
            SELECT max(place) FROM event_attempt WHERE event_attempt.delivery = delivery.number)
        """

    /// Reads a row of the `selection`. Throws `damaged` if it is invalid.
    init(_ row: some SQLRow) throws {
        guard let state = State(rawValue: row.text(2)), let id = row.uuid(5) else {
            throw StoreError(.damaged, "a delivery of an event cannot be read")
        }
        let event = ServiceEvent(
            id: id, type: row.text(6), at: row.instant(7),
            partition: row.optionalText(8).map(AppPartition.init(name:)), orderingKey: row.text(9),
            customerID: row.optionalText(10), previousCustomerID: row.optionalText(11), data: row.bytes(12))
        self.init(
            number: row.number(0), endpoint: row.text(1), event: event, state: state, attempts: Int(row.number(3)),
            dueAt: row.optionalInstant(4), lastAttempt: row.isNull(13) ? nil : EventAttempt(row, from: 13))
    }
}

extension EventAttempt {
    /// Reads time, duration, status and fault.
    init(_ row: some SQLRow, from first: Int32 = 0) {
        self.init(
            at: row.instant(first), milliseconds: row.number(first + 1), status: row.optionalNumber(first + 2).map(Int.init),
            fault: row.optionalText(first + 3))
    }
}
