import EligibilityRules
import Hummingbird
package import OfferService
package import WireText

/// `/v1/admin/audit`: shows the rows of the audit log, and whether the log is intact.
struct AuditController: Sendable {
    let audit: AuditBrowser

    var routes: [OperationRoute] {
        [
            OperationRoute(.listAuditRows, respond: page),
            OperationRoute(.getAuditHead) { request in
                return JSONValue.members(["head": .text(try await audit.head())]).asResponse()
            },
            OperationRoute(.verifyAudit) { request in
                return AuditJSON.verdict(try await audit.verify()).asResponse()
            },
        ]
    }

    private func page(_ request: OperationRequest) async throws -> Response {
        let query = request.query
        var numbers = QueryNumbers(query)
        let (from, until) = (numbers.number("from", in: 0...Int64.max), numbers.number("until", in: 0...Int64.max))
        let limit = ListPage.limit(&numbers)
        let after = query["after"].flatMap(AuditCursor.init)
        if query["after"] != nil, after == nil { numbers.refuse("after", ListPage.strangeCursor) }
        try numbers.check()
        let wanted = AuditQuery(
            Self.kind(query["action"]), bundleID: query["bundleId"], actor: query["actor"],
            from: from.map { Instant(milliseconds: $0) }, until: until.map { Instant(milliseconds: $0) })
        let page = try await audit.page(wanted, limit: limit, after: after, for: request.caller)
        return AuditJSON.page(page).asResponse()
    }

    /// Returns which rows to look for.
    ///
    /// The store keeps rows with the actions `signature.made` and `signature.refused` in tables of their own.
    private static func kind(_ action: String?) -> AuditQuery.Kind {
        switch action {
        case nil: .changes
        case "signature.made": .signatures
        case "signature.refused": .refusals
        case "*": .everything
        case let action?: .action(action)
        }
    }
}

/// The audit log as the API and the commands show it.
package enum AuditJSON {
    static func page(_ page: AuditPage) -> JSONValue {
        .members([
            "items": .array(page.lines.map(line)), "next": .text(page.next?.text),
            "leftOut": page.leftOut.map { JSONValue.number("\($0)") } ?? .null,
        ])
    }

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
