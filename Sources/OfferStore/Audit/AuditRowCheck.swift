/// Checks the rows of one table, in the order of ids, against their chains and the seals of these chains.
package struct AuditRowCheck: Sendable {
    private struct Progress: Sendable {
        let chain: AuditChain
        /// Where the remaining rows begin, after those that retention removed.
        let start: AuditPosition
        var position: AuditPosition
        let sealed: [(position: AuditPosition, seal: Int64)]
        /// Index of the next element of `sealed`.
        var next = 0
        /// The row count at which to compare the chain with the next seal.
        var due: Int64
        /// Id of the last row proven by a seal.
        var provenRow: Int64

        init(_ chain: AuditChain, _ sealed: [(position: AuditPosition, seal: Int64)], _ functions: AuditFunctions) {
            self.chain = chain
            let start = chain.removed ?? AuditPosition(rows: 0, lastRow: 0, link: chain.genesis(functions))
            (self.start, position, provenRow) = (start, start, start.lastRow)
            self.sealed = Array(sealed.drop { $0.position.rows < start.rows })
            due = self.sealed.first?.position.rows ?? .max
        }
    }

    private let table: AuditTable
    private let functions: AuditFunctions
    private let isDense: Bool
    /// Chains by number.
    private var chains: [Int64: Progress] = [:]
    /// The chain of the row that was checked last.
    ///
    /// While it is here, it is not in `chains`.
    private var current: (number: Int64, progress: Progress)?
    private var lastRow: Int64
    package private(set) var report: AuditReport.Table

    /// Prepares the check of a table.
    ///
    /// Throws an `AuditFault` if the records of chains differ from the seals.
    ///
    /// - Parameter isDense: whether the table's numbers have no gaps, so that each gap is a missing row. Otherwise only the
    ///   chains show missing rows.
    package init(
        _ mark: AuditTableMark,
        isDense: Bool,
        chains all: [AuditChain],
        seals: AuditSealCheck,
        _ functions: AuditFunctions
    ) throws(AuditFault) {
        table = mark.table
        self.isDense = isDense
        self.functions = functions
        report = AuditReport.Table(table: mark.table)
        lastRow = mark.removed
        if let sealed = seals.marks[mark.table], sealed != mark {
            throw AuditFault(
                .table(mark.table),
                "begins elsewhere than was sealed: rows up to \(mark.removed) are said to be removed; sealed was \(sealed.removed)"
            )
        }
        for chain in all where chain.table == mark.table {
            let sealed = seals.chains[chain.id]
            if seals.latest != nil, chain.removed != sealed?.removed {
                throw AuditFault(
                    .chain(chain.number), "has lost rows at its beginning, and no seal says that retention took them")
            }
            report.removed += chain.removed?.rows ?? 0
            chains[chain.number] = Progress(chain, sealed?.positions ?? [], functions)
        }
        let known = Set(all.map(\.id))
        let lost = seals.chains.first { id, sealed in
            !known.contains(id) && sealed.positions.contains { $0.position.rows > 0 } && sealed.table == mark.table
        }
        if let lost, let first = lost.value.positions.first {
            throw AuditFault(
                .row(table, first.position.lastRow), "is missing, with its whole chain, which seal \(first.seal) has")
        }
    }

    /// Takes over what has changed in the records of chains: new chains, and rows that retention has removed.
    ///
    /// Returns false if retention has removed rows that were not checked yet, and the check must start again. The check can go on
    /// only if the table's numbers have gaps anyway and no row of that chain was checked.
    package mutating func follow(_ all: [AuditChain]) -> Bool {
        for chain in all where chain.table == table {
            guard let known = chain.number == current?.number ? current?.progress : chains[chain.number] else {
                chains[chain.number] = Progress(chain, [], functions)
                continue
            }
            guard let removed = chain.removed, removed.lastRow > known.position.lastRow else { continue }
            // Where numbers have no gaps, the check expects the next row.
            guard !isDense, known.position == known.start else { return false }
            report.removed += removed.rows - known.start.rows
            chains[chain.number] = Progress(chain, known.sealed, functions)
        }
        return true
    }

    /// Checks the next row, in the order of ids.
    ///
    /// - Parameter row: the row; nil if it could not be read.
    package mutating func take(
        id: Int64,
        chain: Int64,
        link: UnsafeRawBufferPointer,
        row: AuditRowEncoder?
    ) throws(AuditFault) {
        guard id > lastRow else { throw AuditFault(.row(table, id), "stands where retention has removed all rows") }
        guard id == lastRow + 1 || !isDense else { throw AuditFault(.row(table, lastRow + 1), "is missing") }
        lastRow = id
        if current?.number != chain { try change(to: chain, at: id) }
        guard let row else { throw AuditFault(.row(table, id), "was changed: it cannot be read") }
        let expected = row.link(after: current!.progress.position.link, functions.sha256)
        guard AuditLink(link) == expected else {
            throw AuditFault(.row(table, id), "was changed, or a row of its chain before it was removed")
        }
        report.rows += 1
        current!.progress.position.rows += 1
        current!.progress.position.lastRow = id
        current!.progress.position.link = expected
        if current!.progress.position.rows >= current!.progress.due { try compare() }
    }

    private mutating func change(to number: Int64, at id: Int64) throws(AuditFault) {
        if let current { chains[current.number] = current.progress }
        guard let progress = chains[number] else { throw AuditFault(.row(table, id), "belongs to a chain that does not exist") }
        current = (number, progress)
        // If retention has removed exactly the rows up to a seal, the chain is compared with that seal before its next row.
        if progress.position.rows >= progress.due { try compare() }
    }

    private mutating func compare() throws(AuditFault) {
        var progress = current!.progress
        while progress.next < progress.sealed.count, progress.sealed[progress.next].position.rows <= progress.position.rows {
            let (sealed, seal) = progress.sealed[progress.next]
            guard sealed == progress.position else {
                let (first, last) = (progress.provenRow + 1, progress.position.lastRow)
                throw AuditFault(
                    .row(table, first),
                    first < last
                        ? "or one behind it, up to \(last), is not the one that seal \(seal) has: the chain was written anew"
                        : "is not the one that seal \(seal) has: the chain was written anew")
            }
            progress.next += 1
            progress.provenRow = sealed.lastRow
        }
        progress.due = progress.next < progress.sealed.count ? progress.sealed[progress.next].position.rows : .max
        current!.progress = progress
    }

    /// Ends the check.
    ///
    /// Throws if rows that a seal covers are missing at the end of a chain.
    package mutating func finish() throws(AuditFault) {
        if let current { chains[current.number] = current.progress }
        current = nil
        for (_, progress) in chains.sorted(by: { $0.key < $1.key }) {
            if progress.next < progress.sealed.count, let (sealed, seal) = progress.sealed.last {
                guard sealed.rows <= progress.position.rows else {
                    throw AuditFault(
                        .row(table, max(progress.position.lastRow, progress.provenRow) + 1),
                        "is missing, and what was behind it: seal \(seal) has the chain up to row \(sealed.lastRow)")
                }
                guard sealed == progress.position else {
                    throw AuditFault(.row(table, sealed.lastRow), "was not as seal \(seal) has it when retention took it")
                }
            }
            let proven = progress.sealed.last?.position.rows ?? progress.chain.removed?.rows ?? 0
            let rows = progress.position.rows - proven
            guard rows > 0 else { continue }
            report.unsealed += rows
            let head = AuditSeal.Head(table: table, chain: progress.chain.id, position: progress.position)
            report.unsealedEnds.append(AuditReport.UnsealedEnd(head: head, rows: rows))
        }
    }
}
