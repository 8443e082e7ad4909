extension [AuditEvent] {
    /// The same events with the segment as a store found it and has it now; nil: there was none, or is none.
    package func telling(_ before: SegmentRecord?, _ after: SegmentRecord?, _ functions: AuditFunctions) -> [AuditEvent] {
        map { $0.telling(before: before?.auditText(functions), after: after?.auditText(functions)) }
    }
}

extension SegmentRecord {
    /// The version and the whole segment, for the audit log: the log proves which customers a campaign's copy selects.
    func auditText(_ functions: AuditFunctions) -> String {
        let row = functions.text(ofRow: [functions.text(of: document)] + changed.auditValues)
        return "version \(version) \(String(decoding: document, as: UTF8.self)), \(row)"
    }
}
