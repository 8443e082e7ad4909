/// A store that is copied to another.
package protocol CopySource {
    /// Calls `body` with the store's current rows. Blocks all other writes meanwhile.
    func read<Value>(_ body: (any CopySourceRows) throws -> Value) throws -> Value
}

/// The rows of a store that is copied.
package protocol CopySourceRows {
    /// Calls `body` with each row of a table, its values in the order of the columns.
    ///
    /// Throws for a table that the store does not have.
    func forEachRow(of table: CopiedTable, _ body: ([CopiedValue]) throws -> Void) throws
    /// Marks the store so that no service opens it again. Called last, before the copy becomes durable.
    func retire() throws
}
