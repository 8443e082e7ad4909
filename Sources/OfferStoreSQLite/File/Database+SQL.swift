import FoundationEssentials
package import GRDB
package import OfferStore
package import OfferStoreSQL

/// A transaction of a file. Every statement runs at once.
extension Database: SQLTransaction {
    package static let dialect = SQLDialect.sqlite

    package func run(_ sql: String, _ values: [SQLValue]) throws -> SQLiteRows {
        let statement = try cachedStatement(sql: sql)
        // To SQLite `$2` is a name, and it numbers parameters by their first place in the statement. So the values are passed by
        // name.
        let arguments = try values.enumerated().map { ("\($0.offset + 1)", try $0.element.databaseValue) }
        let rows = try Row.fetchAll(statement, arguments: StatementArguments(Dictionary(uniqueKeysWithValues: arguments)))
        return SQLiteRows(rows: rows, changes: changesCount)
    }

    package func enqueue(_ sql: String, _ values: [SQLValue]) throws { _ = try run(sql, values) }

    package func results(of statements: [SQLStatement]) throws -> [SQLiteRows] {
        try statements.map { try run($0.sql, $0.values) }
    }

    package func overwriting<Value>(_ body: () throws -> Value) throws -> Value {
        try execute(sql: "PRAGMA secure_delete = ON")
        defer { try? execute(sql: "PRAGMA secure_delete = OFF") }
        return try body()
    }

    package func number(of partition: AppPartition) throws -> Int64? { try AppNumbers.existing(partition, self) }

    package func takeNumber(of partition: AppPartition) throws -> Int64 { try AppNumbers.number(of: partition, self) }
}

/// The rows of a statement.
package struct SQLiteRows: SQLRows {
    fileprivate let rows: [Row]
    package let changes: Int

    package var count: Int { rows.count }

    package func map<Element>(_ body: (Row) throws -> Element) rethrows -> [Element] { try rows.map(body) }

    package func first<Element>(_ body: (Row) throws -> Element) rethrows -> Element? { try rows.first.map(body) }
}

extension Row: SQLRow {
    package func isNull(_ column: Int32) -> Bool { hasNull(atIndex: Int(column)) }

    package func number(_ column: Int32) -> Int64 { self[Int(column)] ?? 0 }

    /// An id may be stored as a number.
    package func text(_ column: Int32) -> String {
        switch (self[Int(column)] as DatabaseValue).storage {
        case .string(let text): text
        case .int64(let number): "\(number)"
        case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null, .double: ""
        }
    }

    package func bytes(_ column: Int32) -> [UInt8] { (self[Int(column)] as Data?).map { Array($0) } ?? [] }

    package func flag(_ column: Int32) -> Bool { number(column) != 0 }
}

extension SQLValue {
    /// The value as SQLite takes it.
    ///
    /// A list becomes a text in JSON.
    fileprivate var databaseValue: DatabaseValue {
        get throws {
            switch self {
            case .number(let number): number.databaseValue
            case .text(let text): text.databaseValue
            case .id(let id): id.storedID
            case .bytes(let bytes): bytes?.data.databaseValue ?? .null
            case .flag(let flag): flag.databaseValue
            case .numbers(let numbers): try numbers.json.databaseValue
            case .texts(let texts): try texts.json.databaseValue
            case .flags(let flags): try flags.json.databaseValue
            case .blobs: throw StoreError(.unavailable, "SQLite has no list of blobs")
            }
        }
    }
}
