package import EligibilityRules
package import FoundationEssentials

/// A row that a statement has returned.
///
/// Columns are counted from 0, as the statement selects them.
package protocol SQLRow {
    func isNull(_ column: Int32) -> Bool
    /// A column of the dialect's type `number`.
    func number(_ column: Int32) -> Int64
    func text(_ column: Int32) -> String
    func bytes(_ column: Int32) -> [UInt8]
    /// A column of the dialect's type `flag`.
    func flag(_ column: Int32) -> Bool
}

extension SQLRow {
    package func optionalNumber(_ column: Int32) -> Int64? { isNull(column) ? nil : number(column) }

    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// An instant, which is stored in ms since 1970.
    package func instant(_ column: Int32) -> Instant { Instant(milliseconds: number(column)) }

    /// A UUID, which is stored as its bytes; nil unless there are 16.
    package func uuid(_ column: Int32) -> UUID? {
        let bytes = bytes(column)
        return bytes.count == 16 ? bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } : nil
    }

    package func optionalInstant(_ column: Int32) -> Instant? { optionalNumber(column).map(Instant.init(milliseconds:)) }
}

/// The rows that a statement has returned.
package protocol SQLRows<Row> {
    associatedtype Row: SQLRow

    /// The number of rows that the statement has changed.
    var changes: Int { get }

    /// The number of rows that the statement has returned.
    var count: Int { get }

    func map<Element>(_ body: (Row) throws -> Element) rethrows -> [Element]

    /// Maps the first row; nil if there is none.
    func first<Element>(_ body: (Row) throws -> Element) rethrows -> Element?
}

extension SQLRows {
    package func forEach(_ body: (Row) throws -> Void) rethrows { _ = try map(body) }
}
