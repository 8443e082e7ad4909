package import OfferStoreSQL

extension SQLDialect {
    /// The words of PostgreSQL. Its triggers call the functions of `PostgreSQLTables`.
    package static let postgresql = SQLDialect(
        types: (text: #"text COLLATE "C""#, number: "int8", bytes: "bytea", flag: "boolean"),
        ownNumbers: (any: identity, lasting: identity),
        endings: (plain: "", ordered: ""),
        functions: (randomBytes: "uuid_send(gen_random_uuid())", now: "(extract(epoch FROM clock_timestamp()) * 1000)::int8"),
        writers: (areOne: false, locking: "FOR UPDATE", skippingLocked: "FOR UPDATE SKIP LOCKED"),
        isAny: { "= ANY (\($0))" },
        raisingRevision: { topic, changes, table in
            let occasions = changes.map { $0.rawValue.uppercased() }.joined(separator: " OR ")
            return [
                """
                CREATE TRIGGER \(table)_changed AFTER \(occasions) ON \(table)
                    FOR EACH ROW EXECUTE FUNCTION raise_revision('\(topic)')
                """
            ]
        },
        refusingUpdates: { table, message in
            """
            CREATE TRIGGER \(table)_kept BEFORE UPDATE ON \(table) FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('\(message)')
            """
        }
    )

    private static let identity = "int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
}
