/// A table to copy, with its columns in the target.
package struct CopiedTable: Sendable {
    /// The type of a column's values.
    package enum Kind: Sendable { case number, text, bytes, flag, numbers }

    /// A column.
    package struct Column: Sendable {
        package let name: String
        package let kind: Kind

        package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    package let name: String
    package let columns: [Column]

    package init(name: String, columns: [Column]) { (self.name, self.columns) = (name, columns) }
}
