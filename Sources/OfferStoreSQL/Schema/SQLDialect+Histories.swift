extension SQLDialect {
    /// The tables about purchases that every database has in the same form.
    package var histories: [String] {
        [
            // Small numbers that replace apps in large tables.
            "CREATE TABLE app (number \(ownNumber), name \(text) NOT NULL UNIQUE)\(plain)",
            "CREATE TABLE customer_hash (key \(bytes) NOT NULL)\(plain)",
            "INSERT INTO customer_hash VALUES (\(randomBytes))",
            """
            CREATE TABLE seen_group (
                app \(number) NOT NULL,
                product_id \(text) NOT NULL,
                group_id \(text) NOT NULL,
                purchased_at \(number) NOT NULL,
                PRIMARY KEY (app, product_id)
            )\(ordered)
            """,
            // The program never removes rows, but it deletes a row's content once it is old. The content is the last column, so
            // that the other columns are read without it.
            """
            CREATE TABLE notification (
                number \(ownNumber),
                app \(number) NOT NULL,
                key \(bytes) NOT NULL,
                version \(number) NOT NULL,
                type \(text) NOT NULL,
                subtype \(text),
                original_transaction_id \(text),
                received_at \(number) NOT NULL,
                body \(bytes) NOT NULL,
                UNIQUE (app, key)
            )\(plain)
            """,
            """
            CREATE INDEX notification_by_chain ON notification (app, original_transaction_id)
                WHERE original_transaction_id IS NOT NULL
            """,
            // `notification_mark`: the last notification when this many ms had been served. `notification_retention`: the last
            // notification whose content was deleted.
            "CREATE TABLE notification_mark (served \(number) PRIMARY KEY, notification \(number) NOT NULL)\(plain)",
            "CREATE TABLE notification_retention (blanked \(number) NOT NULL)\(plain)",
            "INSERT INTO notification_retention VALUES (0)",
            """
            CREATE TABLE lease (name \(text) NOT NULL PRIMARY KEY, holder \(text) NOT NULL, expires_at \(number) NOT NULL)\(plain)
            """,
            "CREATE TABLE progress (name \(text) NOT NULL PRIMARY KEY, value \(text) NOT NULL)\(plain)",
            purchaseEvents,
        ] + receipts + refunds
    }

    /// The table of receipts.
    ///
    /// A subscription's receipt is named by its original transaction, an unverified receipt by its digest. `sealed` is the last
    /// column, so that receipts are counted without reading it.
    private var receipts: [String] {
        [
            """
            CREATE TABLE receipt (
                app \(number) NOT NULL,
                is_unverified \(flag) NOT NULL,
                name \(bytes) NOT NULL,
                customer_id \(text),
                kept_at \(number) NOT NULL,
                shown_at \(number) NOT NULL,
                verified_at \(number),
                due_at \(number),
                failures \(number) NOT NULL DEFAULT 0,
                reason \(text),
                sealed \(bytes) NOT NULL,
                PRIMARY KEY (app, is_unverified, name)
            )\(plain)
            """,
            "CREATE INDEX receipt_by_due_time ON receipt (app, due_at) WHERE due_at IS NOT NULL",
            "CREATE INDEX receipt_by_age ON receipt (kept_at) WHERE is_unverified",
            "CREATE INDEX receipt_by_reason ON receipt (app, reason)",
            "CREATE INDEX receipt_by_customer ON receipt (app, customer_id) WHERE customer_id IS NOT NULL",
        ]
    }

    /// The tables of refund requests and consents.
    ///
    /// `notification` is the key of the notification that asked.
    private var refunds: [String] {
        [
            """
            CREATE TABLE refund_request (
                app \(number) NOT NULL,
                notification \(bytes) NOT NULL,
                transaction_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                product_id \(text) NOT NULL,
                reason \(text),
                is_advanced_commerce \(flag) NOT NULL,
                requested_at \(number) NOT NULL,
                state \(text) NOT NULL,
                detail \(text),
                policy \(text),
                answer \(text),
                attempts \(number) NOT NULL,
                due_at \(number),
                settled_at \(number),
                PRIMARY KEY (app, notification)
            )\(plain)
            """,
            "CREATE INDEX refund_request_by_due_time ON refund_request (app, due_at) WHERE due_at IS NOT NULL",
            "CREATE INDEX refund_request_by_time ON refund_request (app, requested_at)",
            "CREATE INDEX refund_request_by_chain ON refund_request (app, original_transaction_id)",
            """
            CREATE TABLE consumption_consent (
                app \(number) NOT NULL,
                customer_id \(text) NOT NULL,
                is_given \(flag) NOT NULL,
                stated_at \(number) NOT NULL,
                PRIMARY KEY (app, customer_id)
            )\(ordered)
            """,
        ]
    }
}
