package import EligibilityRules

/// A parameter of a statement, `$1` first.
///
/// A list goes with `isAny` of the dialect.
package enum SQLValue: Sendable {
    case number(Int64?)
    case text(String?)
    /// An id that the App Store gave, for a column that may hold it as a number.
    case id(String)
    case bytes([UInt8]?)
    case flag(Bool?)
    case numbers([Int64?])
    case texts([String?])
    case blobs([[UInt8]?])
    case flags([Bool])

    /// Creates a parameter from an instant, in ms.
    package static func instant(_ instant: Instant?) -> SQLValue { .number(instant?.milliseconds) }
}

/// An SQL statement with its parameters, `$1` first.
package struct SQLStatement {
    package let sql: String
    package let values: [SQLValue]

    package init(_ sql: String, _ values: [SQLValue] = []) {
        self.sql = sql
        self.values = values
    }
}
