/// What a verification reads: a store finds it, in one snapshot, and judges nothing.
package protocol AuditSource {
    /// Whether the numbers of a table's rows have no gaps.
    var isDense: Bool { get }
    /// Every chain.
    func chains() throws -> [AuditChain]
    /// Where each table begins.
    func marks() throws -> [AuditTableMark]
    /// Seals behind a number, in order of numbers, as whole notes.
    func forEachSeal(after number: Int64, limit: Int64, _ body: (_ number: Int64, _ note: String) -> Void) throws
    /// Id of the last row of a table; 0 for none.
    func lastRow(of table: AuditTable) throws -> Int64
    /// What is wrong with the nonces that are kept as used, after all rows of signatures were read; nil if nothing is.
    func nonceFault() throws -> AuditFault?
    /// A signature of these rows whose nonces are not kept as used; nil for none.
    func nonceFault(of rows: ClosedRange<Int64>) throws -> AuditFault?
    /// An access key or a decision about a signing key that is not as the events say; nil for none.
    func decisionFault() throws -> AuditFault?
    /// So many rows of a table in order of ids, until `body` throws. The encoder is nil for a row that cannot be read.
    func forEachRow(
        of table: AuditTable,
        _ ids: ClosedRange<Int64>,
        limit: Int64,
        _ body: (_ id: Int64, _ chain: Int64?, _ link: UnsafeRawBufferPointer, _ row: AuditRowEncoder?) throws -> Void
    ) throws
}
