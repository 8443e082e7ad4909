/// Verifies a whole audit log.
package enum AuditVerification {
    /// Reads everything once: seals, then the rows of each table.
    ///
    /// - Parameters:
    ///   - origin: the log's unique name.
    ///   - heads: seals that were kept elsewhere; the log must contain them.
    package static func run(
        _ source: some AuditSource,
        origin: String,
        trust: AuditTrust,
        heads: [KeptSeal],
        _ functions: AuditFunctions
    ) throws -> AuditReport {
        var report = AuditReport()
        var seals = AuditSealCheck(origin: origin, trust: trust, heads: heads, functions)
        try source.forEachSeal(after: 0, limit: .max) { seals.take(number: $0, note: $1) }
        seals.finish()
        report.faults = seals.faults
        report.seals = seals.count
        report.strangeSeals = seals.strange
        report.latestSeal = seals.latest
        report.isSealed = seals.count > 0 && !trust.keys.isEmpty
        let chains = try source.chains()
        let marks = try source.marks()
        for table in AuditTable.allCases {
            do {
                guard let mark = marks.first(where: { $0.table == table }) else {
                    throw AuditFault(.table(table), "has no line that says where its chained rows begin")
                }
                report.tables.append(try check(mark, chains, seals, source, functions))
                if table == .signatures, let fault = try source.nonceFault() { throw fault }
                if table == .events, let fault = try source.decisionFault() { throw fault }
            } catch let fault as AuditFault {
                report.faults.append(fault)
            }
        }
        return report
    }

    private static func check(
        _ mark: AuditTableMark,
        _ chains: [AuditChain],
        _ seals: AuditSealCheck,
        _ source: some AuditSource,
        _ functions: AuditFunctions
    ) throws -> AuditReport.Table {
        var check = try AuditRowCheck(mark, isDense: source.isDense, chains: chains, seals: seals, functions)
        try source.forEachRow(of: mark.table, .min ... .max, limit: .max) { id, chain, link, row in
            try check.take(id: id, chain: chain, link: link, row: row)
        }
        try check.finish()
        return check.report
    }
}
