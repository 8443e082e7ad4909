/// Verifies an audit log in steps, each in its own snapshot, while processes add rows and retention removes some.
public struct AuditWalk: Sendable {
    private var seals: AuditSealCheck
    private let functions: AuditFunctions
    private var tables = AuditTable.allCases[...]
    /// The check of the first of `tables`; nil before its first row.
    private var check: AuditRowCheck?
    /// The row that was read last, and the table's last row when its check began.
    private var (row, end): (Int64, Int64) = (0, 0)
    /// The fault that ended the walk; nil for none.
    package private(set) var fault: AuditFault?

    package init(origin: String, trust: AuditTrust, _ functions: AuditFunctions) {
        seals = AuditSealCheck(origin: origin, trust: trust, heads: [], keepsLatestOnly: true, functions)
        self.functions = functions
    }

    /// Whether all seals and all tables have been read.
    package var isOver: Bool { tables.isEmpty }

    /// Reads the next rows or seals.
    ///
    /// - Parameter limit: how many rows or seals to read.
    package mutating func step(_ source: some AuditSource, limit: Int64) throws {
        guard let table = tables.first else { return }
        do {
            guard let mark = try source.marks().first(where: { $0.table == table }) else {
                throw AuditFault(.table(table), "has no line that says where its chained rows begin")
            }
            if try check?.follow(source.chains()) ?? false {
                try read(table, source, limit)
            } else {
                try begin(mark, source, limit)
            }
        } catch let found as AuditFault {
            fault = found
            tables = []
        }
    }

    private mutating func begin(_ mark: AuditTableMark, _ source: some AuditSource, _ limit: Int64) throws {
        check = nil
        let known = seals.count
        try source.forEachSeal(after: seals.latest?.number ?? 0, limit: limit) { seals.take(number: $0, note: $1) }
        if let fault = seals.faults.first { throw fault }
        guard seals.count - known < limit else { return }
        seals.finish()
        if let fault = seals.faults.first { throw fault }
        check = try AuditRowCheck(mark, isDense: source.isDense, chains: try source.chains(), seals: seals, functions)
        (row, end) = (mark.removed, try source.lastRow(of: mark.table))
    }

    private mutating func read(_ table: AuditTable, _ source: some AuditSource, _ limit: Int64) throws {
        if row < end {
            // The first read begins at the lowest possible number, so that it also finds rows inserted before the first genuine
            // one.
            let isFirst = check!.report.rows == 0
            let first = isFirst ? .min : row + 1
            var count: Int64 = 0
            try source.forEachRow(of: table, first...end, limit: limit) { id, chain, link, encoder in
                try check!.take(id: id, chain: chain, link: link, row: encoder)
                (row, count) = (id, count + 1)
            }
            if count < limit { row = end }
            if table == .signatures, let fault = try source.nonceFault(of: first...row) { throw fault }
        }
        guard row >= end else { return }
        try check!.finish()
        if table == .events, let fault = try source.decisionFault() { throw fault }
        check = nil
        tables.removeFirst()
    }
}
