extension PostgreSQLMigrations {
    static let events = [
        // The last row of each chain that was collected. The row of `purchase_event` counts the collections; without it, nothing
        // was collected yet. Every change of deliveries locks the row `lock`.
        """
        CREATE TABLE event_position (
            source text COLLATE "C" NOT NULL, chain int8 NOT NULL, position int8 NOT NULL, PRIMARY KEY (source, chain)
        ) WITH (fillfactor = 50)
        """,
        """
        CREATE TABLE event (
            number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id bytea NOT NULL,
            type text COLLATE "C" NOT NULL,
            at int8 NOT NULL,
            bundle_id text COLLATE "C",
            ordering_key text COLLATE "C" NOT NULL,
            customer_id text COLLATE "C",
            previous_customer_id text COLLATE "C",
            data bytea NOT NULL
        )
        """,
        "CREATE INDEX event_by_customer ON event (customer_id) WHERE customer_id IS NOT NULL",
        "CREATE INDEX event_by_previous_customer ON event (previous_customer_id) WHERE previous_customer_id IS NOT NULL",
        "CREATE INDEX event_by_ordering_key ON event (ordering_key)",
        // `turn_at` is `due_at` for the oldest pending delivery of its ordering key, and NULL for all others.
        """
        CREATE TABLE event_delivery (
            number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            event int8 NOT NULL,
            endpoint text COLLATE "C" NOT NULL,
            ordering_key text COLLATE "C" NOT NULL,
            state text COLLATE "C" NOT NULL,
            attempts int8 NOT NULL,
            due_at int8,
            turn_at int8,
            last_at int8
        )
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
            delivery int8 NOT NULL,
            place int8 NOT NULL,
            at int8 NOT NULL,
            milliseconds int8 NOT NULL,
            status int8,
            fault text,
            PRIMARY KEY (delivery, place)
        )
        """,
        "CREATE TABLE event_endpoint (endpoint text COLLATE \"C\" PRIMARY KEY, disabled_at int8 NOT NULL)",
        // Changes of histories, deleted with the commit that stores their events.
        """
        CREATE TABLE purchase_event (
            id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            recorded_at int8 NOT NULL,
            kind text NOT NULL,
            bundle_id text COLLATE "C" NOT NULL,
            at int8 NOT NULL,
            customer_id text COLLATE "C",
            previous_customer_id text COLLATE "C",
            original_transaction_id text COLLATE "C" NOT NULL,
            transaction_id text COLLATE "C",
            product_id text COLLATE "C",
            offer_id text COLLATE "C"
        )
        """,
    ]
}
