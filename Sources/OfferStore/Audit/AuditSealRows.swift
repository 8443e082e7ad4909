/// What sealing reads and writes. The store implements it inside its transaction and makes no judgement.
package protocol AuditSealRows {
    /// All chains.
    func chains() throws -> [AuditChain]
    /// The latest seal, as a whole note.
    func latestSeal() throws -> (number: Int64, note: String)?
    /// A seal as a whole note.
    func seal(_ number: Int64) throws -> String?
    /// The id and link of the last row of a chain, among its rows from an id on.
    func lastRow(of table: AuditTable, chain: Int64, from id: Int64) throws -> (id: Int64, link: AuditLink)?
    /// Id of the last row that retention removed from a chain, or from its table before the chain began; 0 for none.
    func lastRemoved(of chain: AuditChain) throws -> Int64
    /// Where each table begins.
    func marks() throws -> [AuditTableMark]
    /// Stores a seal.
    func insert(_ seal: AuditSeal, note: String) throws
}
