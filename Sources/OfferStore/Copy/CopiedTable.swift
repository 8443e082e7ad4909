/// A table that is copied, with the columns that it has where it is copied to.
package struct CopiedTable: Sendable {
    /// What the values of a column are.
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
