/// A fault found in the audit log: something differs from what was written.
public struct AuditFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where a fault was found.
    public enum Place: Equatable, Sendable {
        /// A row of a table, present or missing.
        case row(AuditTable, Int64)
        /// A seal.
        case seal(Int64)
        /// The record of a chain.
        case chain(Int64)
        /// The record of a table.
        case table(AuditTable)
        /// The whole log.
        case log
    }

    /// Where it was found.
    public let place: Place
    /// What is wrong, as the rest of a sentence that begins with the place.
    public let detail: String

    /// - Parameter detail: what is wrong, as the rest of a sentence that begins with the place.
    package init(_ place: Place, _ detail: String) {
        self.place = place
        self.detail = detail
    }

    /// Place and detail, as one sentence.
    public var description: String {
        switch place {
        case .row(let table, let id): "row \(id) of \(table.rawValue) \(detail)"
        case .seal(let number): "seal \(number) \(detail)"
        case .chain(let number): "chain \(number) \(detail)"
        case .table(let table): "\(table.rawValue) \(detail)"
        case .log: detail
        }
    }
}
