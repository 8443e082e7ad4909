/// An SQL statement with its parameters, `$1` first.
package struct SQLStatement {
    package let sql: String
    package let values: [SQLValue]

    package init(_ sql: String, _ values: [SQLValue] = []) {
        self.sql = sql
        self.values = values
    }
}
