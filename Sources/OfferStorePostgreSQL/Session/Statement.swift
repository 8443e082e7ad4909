/// An SQL statement with its parameters, `$1` first.
struct Statement {
    let sql: String
    let values: [Value]

    init(_ sql: String, _ values: [Value] = []) {
        self.sql = sql
        self.values = values
    }
}
