package import EligibilityRules

/// Seals the chains of a process.
///
/// A value type: a failed transaction leaves the original unchanged.
package struct AuditSealing {
    private let writer: [UInt8]
    private let origin: String
    private let functions: AuditFunctions
    /// The last seal made by this process.
    private var last: (number: Int64, digest: AuditLink)?
    /// Number of sealed rows, by the chain's number.
    private var sealed: [Int64: Int64] = [:]
    /// The last rows that retention has removed from chains since this process's last seal.
    private var removed: [AuditSeal.Head] = []
    private var newKeys: [[UInt8]] = []
    /// Ends of other processes' chains that the next seal covers.
    private var covered: [AuditReport.UnsealedEnd] = []

    package init(writer: [UInt8], origin: String, _ functions: AuditFunctions) {
        self.writer = writer
        self.origin = origin
        self.functions = functions
    }

    /// Notes that retention removed a chain's rows up to a position.
    package mutating func didRemove(_ position: AuditPosition, of chain: AuditChain) {
        removed.append(AuditSeal.Head(table: chain.table, chain: chain.id, position: position))
    }

    /// Makes the next seal cover chains of processes that have ended. The caller has just verified them, and no process runs.
    package mutating func cover(_ ends: [AuditReport.UnsealedEnd]) { covered += ends }

    /// Makes the next seal state that another key may sign from then on.
    package mutating func certify(_ publicKey: [UInt8]) { newKeys.append(publicKey) }

    /// Seals what is new, and returns the seal as a note; nil if nothing is new.
    ///
    /// Throws `damaged` if rows that this process wrote are missing, and `unsuitable` if the latest seal is by a key that the
    /// signer may not follow.
    package mutating func seal(
        _ chains: AuditChains,
        in rows: some AuditSealRows,
        with signer: AuditSigner,
        at now: Instant
    ) throws -> String? {
        let grown = chains.all.filter { $0.position.rows > sealed[$0.chain.number] ?? 0 }
        let marks = try rows.marks()
        guard !grown.isEmpty || !removed.isEmpty || !newKeys.isEmpty || !covered.isEmpty else { return nil }
        for head in chains.all where head.position.lastRow > (try rows.lastRemoved(of: head.chain)) { try check(head, in: rows) }
        let before = try latest(in: rows, signer)
        // The first seal also covers what other processes removed before it.
        if before == nil {
            removed = try rows.chains().compactMap { chain in
                chain.removed.map { AuditSeal.Head(table: chain.table, chain: chain.id, position: $0) }
            }
        }
        let news =
            grown.reduce(0) { $0 + $1.position.rows - (sealed[$1.chain.number] ?? 0) } + covered.reduce(0) { $0 + $1.rows }
        let seal = AuditSeal(
            number: (before?.seal.number ?? 0) + 1, previous: before?.digest, sealedAt: now, writer: writer,
            rows: (before?.seal.rows ?? 0) + news,
            heads: grown.map { AuditSeal.Head(table: $0.chain.table, chain: $0.chain.id, position: $0.position) }
                + covered.map(\.head),
            removed: removed,
            // Only a removal changes where a table begins.
            marks: before == nil || !removed.isEmpty ? marks : [], newKeys: newKeys)
        let note = try sign(seal, signer)
        try rows.insert(seal, note: note)
        last = (seal.number, functions.link(of: Array(note.utf8)))
        for head in grown { sealed[head.chain.number] = head.position.rows }
        removed = []
        newKeys = []
        covered = []
        return note
    }

    private func sign(_ seal: AuditSeal, _ signer: AuditSigner) throws -> String {
        let text = seal.text(origin: origin, functions)
        let signature = SignedNote.Signature(
            name: origin, keyHash: SignedNote.keyHash(signer.publicKey, name: origin, functions),
            bytes: try signer.sign(Array(text.utf8)))
        return SignedNote(text: text, signatures: [signature]).note
    }

    private func check(_ head: AuditChains.Head, in rows: some AuditSealRows) throws {
        let position = head.position
        let found = try rows.lastRow(of: head.chain.table, chain: head.chain.number, from: position.lastRow)
        guard let found, found.id == position.lastRow, found.link == position.link else {
            throw StoreError(
                .damaged,
                "the last rows of \(head.chain.table.rawValue) are not those that this process wrote: another process has changed the "
                    + "store; keep a copy of it, and run offersigner audit verify")
        }
    }

    /// The latest seal in the store, which the next one follows; nil if there is none.
    private func latest(in rows: some AuditSealRows, _ signer: AuditSigner) throws -> (seal: AuditSeal, digest: AuditLink)? {
        func damage(_ detail: String) -> StoreError {
            StoreError(.damaged, "\(detail); keep a copy of the store, and run offersigner audit verify")
        }
        if let last, try rows.seal(last.number).map({ functions.link(of: Array($0.utf8)) }) != last.digest {
            throw damage("seal \(last.number) of the audit log is not the one that this process made")
        }
        guard let (number, text) = try rows.latestSeal() else { return nil }
        guard let note = SignedNote(text), let seal = AuditSeal(text: note.text, origin: origin, functions), seal.number == number
        else { throw damage("seal \(number) of the audit log cannot be read") }
        let digest = functions.link(of: Array(text.utf8))
        // A seal forged while no service ran must not be covered by the next seal.
        if last?.number != number, signer.vouchedSeal != text,
            !signer.trust.isSigned(note, by: signer.trust.keys, name: origin, functions)
        {
            throw StoreError(
                .unsuitable,
                "seal \(number) of the audit log is by a key that the key folder does not have; put that audit key back; if it is "
                    + "lost, run offersigner audit replace-lost-key; if there never was another key, another process has changed the "
                    + "store: keep a copy of it")
        }
        return (seal, digest)
    }
}

/// What sealing reads and writes. The store implements it inside its transaction and makes no judgement.
package protocol AuditSealRows {
    func chains() throws -> [AuditChain]
    /// The latest seal, as a whole note.
    func latestSeal() throws -> (number: Int64, note: String)?
    /// A seal as a whole note; nil if there is none with this number.
    func seal(_ number: Int64) throws -> String?
    /// Id and link of the last row of a chain; nil if the chain has no row from `id` on.
    func lastRow(of table: AuditTable, chain: Int64, from id: Int64) throws -> (id: Int64, link: AuditLink)?
    /// Id of the last row that retention removed from a chain, or from its table before the chain began; 0 for none.
    func lastRemoved(of chain: AuditChain) throws -> Int64
    /// Where each table begins.
    func marks() throws -> [AuditTableMark]
    func insert(_ seal: AuditSeal, note: String) throws
}
