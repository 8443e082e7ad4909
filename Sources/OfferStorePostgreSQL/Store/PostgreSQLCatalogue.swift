import OfferStore
import OfferStoreSQL

/// The catalogue of the database, read as a schema.
enum PostgreSQLCatalogue {
    /// Reads everything in a schema, and what is attached to its tables from elsewhere. Extensions' own objects do not count.
    ///
    /// - Parameter space: an expression for the schema's oid. Its tables must be visible without the schema's name.
    static func schema(_ space: String, _ transaction: Transaction) throws -> StoreSchema {
        var schema = StoreSchema()
        try transaction.run(objects(in: space)).forEach { schema.add($0.text(0), $0.text(1)) }
        return schema
    }

    /// Reads what acts on all schemas, such as event triggers and casts.
    ///
    /// The migrations make nothing of this kind, and it can change what a statement does.
    static func schemaOutside(_ transaction: Transaction) throws -> StoreSchema {
        var schema = StoreSchema()
        let sql = """
            SELECT 'event trigger ' || evtname FROM pg_event_trigger
            WHERE evtenabled <> 'D' AND NOT \(isOfExtension("pg_event_trigger"))
            UNION ALL
            SELECT 'cast from ' || format_type(castsource, NULL) || ' to ' || format_type(casttarget, NULL) FROM pg_cast
            WHERE oid >= \(firstOwn) AND NOT \(isOfExtension("pg_cast"))
            UNION ALL
            SELECT 'function ' || pg_proc.oid::regprocedure || ' in pg_catalog' FROM pg_proc
            WHERE oid >= \(firstOwn) AND pronamespace = 'pg_catalog'::regnamespace AND NOT \(isOfExtension("pg_proc"))
            UNION ALL
            SELECT 'operator ' || pg_operator.oid::regoperator || ' in pg_catalog' FROM pg_operator
            WHERE oid >= \(firstOwn) AND oprnamespace = 'pg_catalog'::regnamespace AND NOT \(isOfExtension("pg_operator"))
            """
        try transaction.run(sql).forEach { schema.add($0.text(0), "") }
        return schema
    }

    /// The first oid of what is not PostgreSQL's own.
    private static let firstOwn = 16384

    private static func isOfExtension(_ catalogue: String) -> String {
        """
        EXISTS (SELECT FROM pg_depend WHERE classid = '\(catalogue)'::regclass AND objid = \(catalogue).oid AND deptype = 'e')
        """
    }

    /// Selects the objects of a schema, with their definitions.
    ///
    /// Storage parameters, owners, privileges and statistics are left out, because the operator may choose them.
    private static func objects(in space: String) -> String {
        """
        WITH own AS (
            SELECT pg_class.*, CASE WHEN relkind IN ('r', 'p') THEN 'table' WHEN relkind IN ('i', 'I') THEN 'index'
                WHEN relkind = 'S' THEN 'sequence' WHEN relkind = 'v' THEN 'view' ELSE 'relation' END AS kind
            FROM pg_class WHERE relnamespace = \(space) AND NOT \(isOfExtension("pg_class"))
        )
        SELECT kind || ' ' || coalesce(indrelid::regclass || '.', '') || relname,
            concat_ws(' | ', relkind, CASE relpersistence WHEN 't' THEN 'p' ELSE relpersistence END, relrowsecurity,
                relforcerowsecurity, pg_get_partkeydef(own.oid), pg_get_expr(relpartbound, own.oid), (
                    SELECT string_agg(inhparent::regclass::text, ',' ORDER BY inhparent) FROM pg_inherits WHERE inhrelid = own.oid
                ), CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(own.oid) END,
                -- Without storage parameters.
                regexp_replace(pg_get_indexdef(own.oid, 0, true), ' WITH \\([^()]*\\)', ''),
                indisvalid, indisready, indisprimary, indimmediate, seqtypid::regtype, seqincrement, seqmin, seqmax, seqcycle)
        FROM own LEFT JOIN pg_index ON indexrelid = own.oid LEFT JOIN pg_sequence ON seqrelid = own.oid
        UNION ALL
        SELECT 'column ' || relname || '.' || attname,
            concat_ws(' | ', count(*) OVER (PARTITION BY attrelid ORDER BY attnum), format_type(atttypid, atttypmod), attnotnull,
                attidentity, attgenerated, CASE WHEN attcollation <> 0 THEN attcollation::regcollation END,
                pg_get_expr(adbin, adrelid))
        FROM own JOIN pg_attribute ON attrelid = own.oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND attnum > 0 AND NOT attisdropped
        UNION ALL
        SELECT 'constraint ' || conrelid::regclass || '.' || conname,
            concat_ws(' | ', contype, convalidated, pg_get_constraintdef(pg_constraint.oid, true))
        FROM pg_constraint
        WHERE contype NOT IN ('n', 't') AND (conrelid IN (SELECT oid FROM own) OR confrelid IN (SELECT oid FROM own))
        UNION ALL
        SELECT 'trigger ' || CASE WHEN tgisinternal THEN 'of a constraint' ELSE tgname END || ' on ' || relname,
            concat_ws(' | ', tgenabled, tgtype, tgfoid::regproc,
                CASE WHEN NOT tgisinternal THEN pg_get_triggerdef(pg_trigger.oid, true) END)
        FROM own JOIN pg_trigger ON tgrelid = own.oid
        UNION ALL
        SELECT 'rule ' || rulename || ' on ' || relname, concat_ws(' | ', ev_enabled, pg_get_ruledef(pg_rewrite.oid, true))
        FROM own JOIN pg_rewrite ON ev_class = own.oid
        UNION ALL
        SELECT 'policy ' || polname || ' on ' || relname, concat_ws(' | ', polcmd, polpermissive, polroles, polqual, polwithcheck)
        FROM own JOIN pg_policy ON polrelid = own.oid
        UNION ALL
        SELECT 'table ' || inhrelid::regclass, 'of another schema, with rows of ' || relname
        FROM own JOIN pg_inherits ON inhparent = own.oid WHERE inhrelid NOT IN (SELECT oid FROM own)
        UNION ALL
        SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')',
            concat_ws(' | ', prokind, lanname, prosecdef, provolatile, proconfig, probin,
                pg_get_function_arguments(pg_proc.oid), pg_get_function_result(pg_proc.oid), prosrc,
                pg_get_function_sqlbody(pg_proc.oid))
        FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
        WHERE pronamespace = \(space) AND NOT \(isOfExtension("pg_proc"))
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 'other' FROM pg_depend AS part
        WHERE refclassid = 'pg_namespace'::regclass AND refobjid = \(space)
            AND classid IN ('pg_type'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass, 'pg_opfamily'::regclass,
                'pg_collation'::regclass, 'pg_conversion'::regclass)
            AND NOT EXISTS (
                SELECT FROM pg_depend AS other
                WHERE other.classid = part.classid AND other.objid = part.objid AND other.deptype = 'e')
        """
    }
}
