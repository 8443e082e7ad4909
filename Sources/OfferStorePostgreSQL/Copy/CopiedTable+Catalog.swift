import OfferStore
import OfferStoreSQL

extension CopiedTable {
    /// Tables that each process or each store creates for itself.
    private static let ownTables = ["schema_version", "replica", "lease", "revision", "chain_range", "nonce_range"]

    /// All tables that a copy fills, by name, from the catalog. `serving_mark` precedes `serving_mark_chain`, which refers to it.
    static func all(_ transaction: Transaction) throws -> [CopiedTable] {
        let rows = try transaction.run(
            """
            SELECT relname::text, attname::text, atttypid::regtype::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0
                AND NOT attisdropped AND attname <> 'issued_day'
                AND relname <> ALL($1) AND pg_class.oid NOT IN (
                    SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND deptype = 'e')
            ORDER BY relname, attnum
            """, .texts(ownTables))
        var tables: [CopiedTable] = []
        try rows.forEach { row in
            let column = Column(name: row.text(1), kind: try Kind(dataType: row.text(2)))
            if tables.last?.name == row.text(0) {
                tables.append(CopiedTable(name: row.text(0), columns: tables.removeLast().columns + [column]))
            } else {
                tables.append(CopiedTable(name: row.text(0), columns: [column]))
            }
        }
        return tables
    }

    /// The quoted names of the columns, for a statement.
    var columnList: String { columns.map { "\"\($0.name)\"" }.joined(separator: ", ") }
}

extension CopiedTable.Kind {
    fileprivate init(dataType: String) throws(StoreError) {
        switch dataType {
        case "bigint": self = .number
        case "text": self = .text
        case "bytea": self = .bytes
        case "boolean": self = .flag
        case "bigint[]": self = .numbers
        default: throw StoreError(.unsuitable, "a column of the type \(dataType) is not copied")
        }
    }
}

extension CopiedValue {
    /// Reads a column of a row.
    init(_ row: Row, _ column: Int32, _ kind: CopiedTable.Kind) {
        guard !row.isNull(column) else {
            self = .null
            return
        }
        self =
            switch kind {
            case .number: .number(row.number(column))
            case .text: .text(row.text(column))
            case .bytes: .bytes(row.bytes(column))
            case .flag: .flag(row.flag(column))
            case .numbers: .numbers(row.numbers(column))
            }
    }
}
