extension SQLDialect {
    /// The tables of events and their deliveries.
    package var events: [String] {
        [
            """
            CREATE TABLE event (
                number \(ownNumber),
                id \(bytes) NOT NULL,
                type \(text) NOT NULL,
                at \(number) NOT NULL,
                bundle_id \(text),
                ordering_key \(text) NOT NULL,
                customer_id \(text),
                previous_customer_id \(text),
                data \(bytes) NOT NULL
            )\(plain)
            """,
            "CREATE INDEX event_by_customer ON event (customer_id) WHERE customer_id IS NOT NULL",
            "CREATE INDEX event_by_previous_customer ON event (previous_customer_id) WHERE previous_customer_id IS NOT NULL",
            "CREATE INDEX event_by_ordering_key ON event (ordering_key)",
            // `turn_at` is `due_at` for the oldest pending delivery of its ordering key, and NULL for all others. So finding what
            // is due takes the same time, however many deliveries wait behind it.
            """
            CREATE TABLE event_delivery (
                number \(lastingNumber),
                event \(number) NOT NULL,
                endpoint \(text) NOT NULL,
                ordering_key \(text) NOT NULL,
                state \(text) NOT NULL,
                attempts \(number) NOT NULL,
                due_at \(number),
                turn_at \(number),
                last_at \(number)
            )\(plain)
            """,
            "CREATE INDEX event_delivery_by_turn ON event_delivery (endpoint, turn_at, number) WHERE turn_at IS NOT NULL",
            "CREATE UNIQUE INDEX event_delivery_turn ON event_delivery (endpoint, ordering_key) WHERE turn_at IS NOT NULL",
            """
            CREATE INDEX event_delivery_pending ON event_delivery (endpoint, ordering_key, number) WHERE state = 'pending'
            """,
            "CREATE INDEX event_delivery_ended ON event_delivery (last_at) WHERE state <> 'pending'",
            "CREATE INDEX event_delivery_failed ON event_delivery (endpoint) WHERE state = 'failed'",
            "CREATE INDEX event_delivery_by_event ON event_delivery (event)",
            """
            CREATE TABLE event_attempt (
                delivery \(number) NOT NULL,
                place \(number) NOT NULL,
                at \(number) NOT NULL,
                milliseconds \(number) NOT NULL,
                status \(number),
                fault \(text),
                PRIMARY KEY (delivery, place)
            )\(ordered)
            """,
            "CREATE TABLE event_endpoint (endpoint \(text) NOT NULL PRIMARY KEY, disabled_at \(number) NOT NULL)\(plain)",
        ]
    }

    /// Changes of histories, deleted once their events are stored.
    var purchaseEvents: String {
        """
        CREATE TABLE purchase_event (
            id \(lastingNumber),
            recorded_at \(number) NOT NULL,
            kind \(text) NOT NULL,
            bundle_id \(text) NOT NULL,
            at \(number) NOT NULL,
            customer_id \(text),
            previous_customer_id \(text),
            original_transaction_id \(text) NOT NULL,
            transaction_id \(text),
            product_id \(text),
            offer_id \(text)
        )\(plain)
        """
    }
}
