/// What a verification reads: a store finds it, in one snapshot, and judges nothing.
package protocol AuditSource {
    /// Every chain.
    func chains() throws -> [AuditChain]
    /// Where each table begins.
    func marks() throws -> [AuditTableMark]
    /// Every seal, in order of numbers, as a whole note.
    func forEachSeal(_ body: (_ number: Int64, _ note: String) -> Void) throws
    /// What is wrong with the nonces that are kept as used, after all rows of signatures were read; nil if nothing is.
    func nonceFault() throws -> AuditFault?
    /// Every row of a table in order of ids, until `body` throws. The encoder is nil for a row that cannot be read.
    func forEachRow(
        of table: AuditTable,
        _ body: (_ id: Int64, _ chain: Int64?, _ link: UnsafeRawBufferPointer, _ row: AuditRowEncoder?) throws -> Void
    ) throws
}
