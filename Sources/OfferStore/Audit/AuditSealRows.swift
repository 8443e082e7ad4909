/// What sealing reads and writes: a store finds it, inside its transaction, and judges nothing.
package protocol AuditSealRows {
    /// Every chain.
    func chains() throws -> [AuditChain]
    /// The latest seal, as a whole note.
    func latestSeal() throws -> (number: Int64, note: String)?
    /// A seal as a whole note.
    func seal(_ number: Int64) throws -> String?
    /// Of the rows of a chain from an id on the last: its id and its link.
    func lastRow(of table: AuditTable, chain: Int64, from id: Int64) throws -> (id: Int64, link: AuditLink)?
    /// Id of the last row that retention took of a chain, or of its table before the chain began; 0 for none.
    func lastRemoved(of chain: AuditChain) throws -> Int64
    /// Where each table begins.
    func marks() throws -> [AuditTableMark]
    /// Keeps a seal.
    func insert(_ seal: AuditSeal, note: String) throws
}
