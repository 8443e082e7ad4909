/// What a verification reads. The store implements it in one snapshot and makes no judgement.
package protocol AuditSource {
    /// Whether the numbers of a table's rows have no gaps.
    var isDense: Bool { get }
    func chains() throws -> [AuditChain]
    /// Where each table begins.
    func marks() throws -> [AuditTableMark]
    /// Calls `body` with the seals after a number, in the order of numbers, as whole notes.
    func forEachSeal(after number: Int64, limit: Int64, _ body: (_ number: Int64, _ note: String) -> Void) throws
    /// Id of the last row of a table; 0 for none.
    func lastRow(of table: AuditTable) throws -> Int64
    /// Returns a fault in the table of used nonces; nil for none.
    ///
    /// Call it after all rows of signatures were read, because it compares them with that table.
    func nonceFault() throws -> AuditFault?
    /// Returns a fault if a signature among these rows has nonces that are not stored as used; nil for none.
    func nonceFault(of rows: ClosedRange<Int64>) throws -> AuditFault?
    /// Returns a fault if an access key, a decision about a signing key, a campaign, a segment, a proposal or an endpoint differs
    /// from its audit events; nil for none.
    func decisionFault() throws -> AuditFault?
    /// Calls `body` with the rows of a table, in the order of ids, until it throws.
    ///
    /// The row is nil if it cannot be read.
    func forEachRow(
        of table: AuditTable,
        _ ids: ClosedRange<Int64>,
        limit: Int64,
        _ body: (_ id: Int64, _ chain: Int64, _ link: UnsafeRawBufferPointer, _ row: AuditRowEncoder?) throws -> Void
    ) throws
}
