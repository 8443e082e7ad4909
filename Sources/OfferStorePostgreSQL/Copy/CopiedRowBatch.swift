import OfferStore
import OfferStoreSQL

/// Rows of one table that are inserted together.
struct CopiedRowBatch {
    private static let maxRows = 2000
    /// Maximum number of bytes in the texts and blobs of a batch.
    ///
    /// A notification usually has some ten thousand bytes.
    private static let maxBytes = 4 << 20

    private let table: CopiedTable
    private let sql: String
    private var rows: [[CopiedValue]] = []
    private var size = 0

    init(_ table: CopiedTable) {
        self.table = table
        let values = table.columns.map { column in
            switch column.kind {
            case .number, .text, .bytes: "\"\(column.name)\""
            // Flags are sent as numbers, which may be NULL, and lists as texts: arrays cannot contain arrays of different
            // lengths.
            case .flag: "\"\(column.name)\" <> 0"
            case .numbers: "\"\(column.name)\"::int8[]"
            }
        }
        let parameters = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        sql = """
            INSERT INTO \(table.name) (\(table.columnList)) OVERRIDING SYSTEM VALUE
            SELECT \(values.joined(separator: ", ")) FROM unnest(\(parameters)) AS new (\(table.columnList))
            """
    }

    /// Adds a row, and inserts the batch once it is large.
    mutating func append(_ row: [CopiedValue], _ transaction: Transaction) throws {
        rows.append(row)
        for value in row {
            switch value {
            case .text(let text): size += text.utf8.count
            case .bytes(let bytes): size += bytes.count
            case .null, .number, .flag, .numbers: break
            }
        }
        if rows.count >= Self.maxRows || size >= Self.maxBytes { try insert(transaction) }
    }

    /// Inserts the remaining rows.
    mutating func insert(_ transaction: Transaction) throws {
        guard !rows.isEmpty else { return }
        let values = table.columns.indices.map { index in
            SQLValue(rows.map { $0[index] }, table.columns[index].kind)
        }
        _ = try transaction.run([SQLStatement(sql, values)])
        (rows, size) = ([], 0)
    }
}

extension SQLValue {
    /// Creates a parameter from a column of many rows.
    fileprivate init(_ column: [CopiedValue], _ kind: CopiedTable.Kind) {
        switch kind {
        case .number, .flag:
            self = .numbers(
                column.map { value in
                    switch value {
                    case .number(let number): number
                    case .flag(let flag): flag ? 1 : 0
                    default: nil
                    }
                })
        case .text: self = .texts(column.map { value in if case .text(let text) = value { text } else { nil } })
        case .bytes: self = .blobs(column.map { value in if case .bytes(let bytes) = value { bytes } else { nil } })
        case .numbers:
            self = .texts(
                column.map { value in
                    if case .numbers(let numbers) = value { "{\(numbers.map(String.init).joined(separator: ","))}" } else { nil }
                })
        }
    }
}
