extension SQLiteMigrations {
    /// The tables of events and their deliveries, in the file of signatures.
    static let events = """
        -- The last row of each source that was collected, and the number of erasures. Without rows, nothing was collected yet.
        CREATE TABLE event_position (source TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL) STRICT;
        CREATE TABLE event (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL,
            type TEXT NOT NULL,
            at INTEGER NOT NULL,
            bundle_id TEXT,
            ordering_key TEXT NOT NULL,
            customer_id TEXT,
            previous_customer_id TEXT,
            data BLOB NOT NULL
        ) STRICT;
        CREATE INDEX event_by_customer ON event (customer_id) WHERE customer_id IS NOT NULL;
        CREATE INDEX event_by_previous_customer ON event (previous_customer_id) WHERE previous_customer_id IS NOT NULL;
        CREATE INDEX event_by_ordering_key ON event (ordering_key);
        -- `turn_at` is `due_at` for the oldest pending delivery of its ordering key, and NULL for all others: finding what is due
        -- does not depend on how many wait behind it. No number is ever given twice.
        CREATE TABLE event_delivery (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            event INTEGER NOT NULL,
            endpoint TEXT NOT NULL,
            ordering_key TEXT NOT NULL,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            due_at INTEGER,
            turn_at INTEGER,
            last_at INTEGER
        ) STRICT;
        CREATE INDEX event_delivery_by_turn ON event_delivery (endpoint, turn_at, number) WHERE turn_at IS NOT NULL;
        CREATE UNIQUE INDEX event_delivery_turn ON event_delivery (endpoint, ordering_key) WHERE turn_at IS NOT NULL;
        CREATE INDEX event_delivery_pending ON event_delivery (endpoint, ordering_key, number) WHERE state = 'pending';
        CREATE INDEX event_delivery_ended ON event_delivery (last_at) WHERE state <> 'pending';
        CREATE INDEX event_delivery_failed ON event_delivery (endpoint) WHERE state = 'failed';
        CREATE INDEX event_delivery_by_event ON event_delivery (event);
        CREATE TABLE event_attempt (
            delivery INTEGER NOT NULL,
            place INTEGER NOT NULL,
            at INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL,
            status INTEGER,
            fault TEXT,
            PRIMARY KEY (delivery, place)
        ) STRICT, WITHOUT ROWID;
        -- Endpoints that are disabled.
        CREATE TABLE event_endpoint (endpoint TEXT NOT NULL PRIMARY KEY, disabled_at INTEGER NOT NULL) STRICT;
        """

    /// The table of changes that make events, in the file of histories.
    static let purchaseEvents = """
        -- Deleted once the file of signatures has the event. No id is ever given twice.
        CREATE TABLE purchase_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            recorded_at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            bundle_id TEXT NOT NULL,
            at INTEGER NOT NULL,
            customer_id TEXT,
            previous_customer_id TEXT,
            original_transaction_id TEXT NOT NULL,
            transaction_id TEXT,
            product_id TEXT,
            offer_id TEXT
        ) STRICT;
        """
}
