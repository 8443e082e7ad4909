/// A table that is copied from one kind of store to another, with its columns in the target.
package struct CopiedTable: Sendable {
    /// The type of a column's values.
    package enum Kind: Sendable { case number, text, bytes, flag, numbers }

    package struct Column: Sendable {
        package let name: String
        package let kind: Kind

        package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    package let name: String
    package let columns: [Column]

    package init(name: String, columns: [Column]) { (self.name, self.columns) = (name, columns) }
}

/// A count and an order-independent hash of a table's rows: equal for the same rows in any order.
package struct CopiedRows: Equatable, Sendable {
    package private(set) var count = 0
    private var sum: UInt64 = 0
    private let hash: SipHash

    /// - Parameter hash: the hash function, which must be the same for all values that are compared.
    package init(_ hash: SipHash) { self.hash = hash }

    package mutating func add(_ row: [CopiedValue]) {
        var bytes: [UInt8] = []
        for value in row { value.append(to: &bytes) }
        sum &+= bytes.withUnsafeBytes { hash.hash($0) }
        count += 1
    }

    /// Whether both have the same rows.
    package static func == (left: CopiedRows, right: CopiedRows) -> Bool {
        left.count == right.count && left.sum == right.sum
    }
}

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
