extension SQLDialect {
    /// The columns of a signed request.
    ///
    /// `offers` is JSON, `[["product","offer"],...]`, and there are as many `nonces` and `digests`. If an offer has a transaction
    /// id of its own, it is a third text beside product and offer. `personal_digest` replaces personal data that was erased.
    package var signedRequestColumns: String {
        """
        id \(number) PRIMARY KEY,
            signed_at \(number) NOT NULL,
            bundle_id \(text) NOT NULL,
            key_id \(text) NOT NULL,
            form \(text) NOT NULL,
            caller \(text) NOT NULL,
            customer_id \(text),
            application_username \(text),
            transaction_id \(text),
            request_id \(text) NOT NULL,
            nonces \(bytes) NOT NULL,
            digests \(bytes) NOT NULL,
            offers \(text) NOT NULL,
            address \(text),
            chain \(number) NOT NULL,
            link \(bytes) NOT NULL,
            personal_digest \(bytes)
        """
    }

    /// The columns of a refused request.
    ///
    /// `offers` is JSON, `[["product","offer","reason"],...]`. If a transaction decided, its id is a fourth text.
    package var refusedRequestColumns: String {
        """
        id \(number) PRIMARY KEY,
            refused_at \(number) NOT NULL,
            bundle_id \(text) NOT NULL,
            caller \(text) NOT NULL,
            customer_id \(text),
            application_username \(text),
            transaction_id \(text),
            request_id \(text) NOT NULL,
            offers \(text) NOT NULL,
            address \(text),
            chain \(number) NOT NULL,
            link \(bytes) NOT NULL,
            personal_digest \(bytes)
        """
    }

    /// The tables of the audit log, its chains and its seals.
    package var audit: [String] {
        [
            // Append-only.
            """
            CREATE TABLE audit_event (
                id \(number) PRIMARY KEY,
                at \(number) NOT NULL,
                actor \(text) NOT NULL,
                action \(text) NOT NULL,
                bundle_id \(text),
                subject \(text),
                before \(text),
                after \(text),
                reason \(text),
                request_id \(text),
                customer_id \(text),
                transaction_id \(text),
                address \(text),
                chain \(number) NOT NULL,
                link \(bytes) NOT NULL,
                personal_digest \(bytes)
            )\(plain)
            """,
            // The events with which decisions and campaigns are compared. The first index finds the row before each event in its
            // chain, the others find the events by action.
            "CREATE INDEX audit_event_by_chain ON audit_event (chain, id)",
            """
            CREATE INDEX audit_event_of_keys ON audit_event (id)
                WHERE action IN ('key.activate', 'key.load', 'key.revoke', 'key.rollback', 'key.stage')
            """,
            "CREATE INDEX audit_event_of_access ON audit_event (id) WHERE action IN ('access.create', 'access.revoke')",
            """
            CREATE INDEX audit_event_of_states ON audit_event (id) WHERE action IN (
                'campaign.approve', 'campaign.archive', 'campaign.create', 'campaign.discard', 'campaign.end',
                'campaign.note', 'campaign.pause', 'campaign.publish', 'campaign.reject', 'campaign.resume',
                'campaign.rollback', 'campaign.save', 'campaign.submit', 'campaign.testers', 'campaign.unarchive',
                'event.disable', 'event.enable', 'key.agree', 'key.propose', 'key.withdraw', 'segment.remove',
                'segment.save')
            """,
            // Each process writes one chain at a time into each table. `removed_…`: the number of rows that retention has removed
            // from the chain, the last of them and its link.
            """
            CREATE TABLE audit_chain (
                number \(ownNumber),
                id \(bytes) NOT NULL UNIQUE,
                writer \(bytes) NOT NULL,
                table_name \(text) NOT NULL,
                opened_at \(number) NOT NULL,
                removed_rows \(number) NOT NULL DEFAULT 0,
                removed_row \(number),
                removed_link \(bytes)
            )\(plain)
            """,
            // Seals, each a signed note.
            """
            CREATE TABLE audit_head (
                number \(number) PRIMARY KEY, writer \(bytes) NOT NULL, sealed_at \(number) NOT NULL, note \(text) NOT NULL
            )\(plain)
            """,
            // What retention has removed from each table, as sealed.
            "CREATE TABLE audit_table (name \(text) NOT NULL PRIMARY KEY, removed \(number) NOT NULL)\(plain)",
            // The answers under an `Idempotency-Key`.
            """
            CREATE TABLE idempotency (
                caller \(text) NOT NULL,
                key \(text) NOT NULL,
                request_digest \(bytes) NOT NULL,
                answer \(bytes) NOT NULL,
                created_at \(number) NOT NULL,
                PRIMARY KEY (caller, key)
            )\(ordered)
            """,
            "CREATE INDEX idempotency_by_age ON idempotency (created_at)",
            // Names of limits are hashed with this key.
            "CREATE TABLE limit_hash (key \(bytes) NOT NULL)\(plain)",
            "INSERT INTO limit_hash VALUES (\(randomBytes))",
        ]
    }
}
