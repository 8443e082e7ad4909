extension PostgreSQLMigrations {
    static let refunds = [
        // `notification` is the key of the notification that asked.
        """
        CREATE TABLE refund_request (
            app int8 NOT NULL,
            notification bytea NOT NULL,
            transaction_id text COLLATE "C" NOT NULL,
            original_transaction_id text COLLATE "C" NOT NULL,
            product_id text COLLATE "C" NOT NULL,
            reason text,
            is_advanced_commerce boolean NOT NULL,
            requested_at int8 NOT NULL,
            state text COLLATE "C" NOT NULL,
            detail text,
            policy text,
            answer text,
            attempts int8 NOT NULL,
            due_at int8,
            settled_at int8,
            PRIMARY KEY (app, notification)
        )
        """,
        "CREATE INDEX refund_request_by_due_time ON refund_request (app, due_at) WHERE due_at IS NOT NULL",
        "CREATE INDEX refund_request_by_time ON refund_request (app, requested_at)",
        "CREATE INDEX refund_request_by_chain ON refund_request (app, original_transaction_id)",
        """
        CREATE TABLE consumption_consent (
            app int8 NOT NULL,
            customer_id text COLLATE "C" NOT NULL,
            is_given boolean NOT NULL,
            stated_at int8 NOT NULL,
            PRIMARY KEY (app, customer_id)
        )
        """,
    ]
}
