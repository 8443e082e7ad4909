import OfferStoreSQL

extension SQLStatement {
    /// Ends sessions of this role that keep others waiting for a lock while the server waits for their process.
    ///
    /// `idle_in_transaction_session_timeout` counts only between two round trips. The server has no time limit for a process that is
    /// frozen while it sends a round trip, or while it receives an answer larger than the buffers between.
    static let endSilentSessions = SQLStatement(
        """
        SELECT pg_terminate_backend(holder.pid) FROM pg_stat_activity AS waiter
        CROSS JOIN LATERAL unnest(pg_blocking_pids(waiter.pid)) AS blocking (pid)
        JOIN pg_stat_activity AS holder ON holder.pid = blocking.pid
        WHERE waiter.wait_event_type = 'Lock' AND waiter.datname = current_database() AND holder.usename = session_user
            AND holder.state = 'active' AND holder.wait_event IN ('ClientRead', 'ClientWrite')
            AND holder.query_start < clock_timestamp() - interval '\(SessionSettings.maxIdle) ms'
        """)

    /// Selects the sessions that hold locks on the schema's tables: process, application, and the age of the transaction in s.
    static let holders = SQLStatement(
        """
        SELECT DISTINCT pid::int8, application_name, extract(epoch FROM clock_timestamp() - xact_start)::int8 AS age
        FROM pg_locks JOIN pg_class ON pg_class.oid = relation JOIN pg_stat_activity USING (pid)
        WHERE relnamespace = quote_ident(current_schema())::regnamespace AND granted AND pid <> pg_backend_pid() ORDER BY age DESC LIMIT 3
        """)
}
