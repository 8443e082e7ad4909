package import OfferService
package import WireText

/// The audit log as the API and the commands show it.
package enum AuditJSON {
    /// Returns a page of rows.
    static func page(_ page: AuditPage) -> JSONValue {
        .members([
            "items": .array(page.lines.map(line)), "next": .text(page.next?.text),
            "leftOut": page.leftOut.map { JSONValue.number("\($0)") } ?? .null,
        ])
    }

    /// Returns one row.
    static func line(_ line: AuditLine) -> JSONValue {
        .members([
            "table": .string(line.table), "row": .number("\(line.row)"), "at": .instant(line.at), "actor": .string(line.actor),
            "action": .string(line.action), "bundleId": .text(line.bundleID), "environment": .text(line.environment),
            "subject": .text(line.subject),
            "before": .text(line.before), "after": .text(line.after), "reason": .text(line.reason),
            "requestId": .text(line.requestID), "customerId": .text(line.customerID),
            "transactionId": .text(line.transactionID), "address": .text(line.address), "link": .text(line.link),
        ])
    }

    /// Returns the result of a verification.
    package static func verdict(_ verdict: AuditVerdict) -> JSONValue {
        .members([
            "proven": .bool(verdict.isProven), "intact": .bool(verdict.isIntact), "summary": .string(verdict.summary),
            "faults": .texts(verdict.faults), "seals": .number("\(verdict.seals)"), "sealedAt": .instant(verdict.sealedAt),
            "milliseconds": .number("\(verdict.milliseconds)"),
            "tables": .array(
                verdict.tables.map {
                    .members([
                        "name": .string($0.name), "rows": .number("\($0.rows)"), "unsealed": .number("\($0.unsealed)"),
                        "removed": .number("\($0.removed)"),
                    ])
                }),
        ])
    }
}
