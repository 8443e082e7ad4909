extension SQLiteMigrations {
    /// The tables of refund requests and of consents, in the file of histories.
    static let refunds = """
        -- `notification` is the key of the notification that asked.
        CREATE TABLE refund_request (
            app INTEGER NOT NULL,
            notification BLOB NOT NULL,
            transaction_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            reason TEXT,
            is_advanced_commerce INTEGER NOT NULL,
            requested_at INTEGER NOT NULL,
            state TEXT NOT NULL,
            detail TEXT,
            policy TEXT,
            answer TEXT,
            attempts INTEGER NOT NULL,
            due_at INTEGER,
            settled_at INTEGER,
            PRIMARY KEY (app, notification)
        ) STRICT;
        CREATE INDEX refund_request_by_due_time ON refund_request (app, due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX refund_request_by_time ON refund_request (app, requested_at);
        CREATE INDEX refund_request_by_chain ON refund_request (original_transaction_id, app);
        CREATE TABLE consumption_consent (
            app INTEGER NOT NULL,
            customer_id TEXT NOT NULL,
            is_given INTEGER NOT NULL,
            stated_at INTEGER NOT NULL,
            PRIMARY KEY (app, customer_id)
        ) STRICT, WITHOUT ROWID;
        """
}
