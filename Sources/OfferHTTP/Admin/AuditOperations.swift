import OfferService
import WireText

extension Operation {
    static let listAuditRows = Operation(
        id: "listAuditRows", method: .get, path: "/v1/admin/audit", access: .needs(.audit),
        about: About(
            tag: "audit",
            summary: "Look into the audit log",
            text: "Rows, the latest first. A caller with some apps sees only rows about one of them.",
            parameters: ["bundleIdOfRows", "actor", "action", "from", "until", "limit", "auditAfter"],
            successes: [
                Success("The rows.", "AuditRows")
            ]))

    static let getAuditHead = Operation(
        id: "getAuditHead", method: .get, path: "/v1/admin/audit/head", access: .needs(.audit),
        about: About(
            tag: "audit",
            summary: "The latest seal of the audit log",
            text: "Keep it elsewhere: it later proves that nothing before it was changed.",
            successes: [
                Success("The seal.", "AuditHead")
            ]))

    static let verifyAudit = Operation(
        id: "verifyAudit", method: .post, path: "/v1/admin/audit/verify", access: .needs(.audit),
        about: About(
            tag: "audit",
            summary: "Verify the audit log",
            text: "Reads the whole log; one verification at a time.",
            successes: [
                Success("The verdict.", "AuditVerdict")
            ]))
}

extension NamedSchema {
    static let auditRow = NamedSchema(
        "AuditRow",
        "A row of the audit log.",
        [
            Field("table", .known("signed_request", "refused_request", "audit_event"), "Its table."),
            Field("row", .integer(0...), "Its number there."),
            Field("at", .integer(0...), "When.", example: 1_795_000_000_000),
            Field("actor", .text, "Who.", example: "0123456789abcdef"),
            Field("action", .text, "What was done.", example: "key.activate"),
            Field("bundleId", .text.orNull, "The app; null: none in particular."),
            Field(
                "environment", .known("Sandbox", "Xcode").orNull,
                "`Sandbox` or `Xcode` where it happened in that environment, beside the app's own."),
            Field("subject", .text.orNull, "To what."),
            Field("before", .text.orNull, "How it was."),
            Field("after", .text.orNull, "How it is."),
            Field("reason", .text.orNull, "Why."),
            Field("requestId", .text.orNull, "Of the request that asked for it."),
            Field("customerId", .text.orNull, "The customer."),
            Field("transactionId", .text.orNull, "The transaction."),
            Field("address", .text.orNull, "Where it came from."),
            Field(
                "link", .text.orNull,
                "SHA-256 of the row and all before it in its chain; null for a row that is older than the log."),
        ])

    static let auditRows = NamedSchema(
        "AuditRows",
        "Rows, the latest first.",
        [
            Field("items", .list(.named("AuditRow")), "The rows."),
            .next,
            Field(
                "leftOut", .integer(0...).orNull,
                "How many signatures and refusals of the same time are left out; `null` in a query about one app."),
        ])

    static let auditHead = NamedSchema(
        "AuditHead",
        "The latest seal.",
        [
            Field("head", .text.orNull, "A signed note in the checkpoint form; null: nothing is sealed yet.")
        ])

    static let auditVerdict = NamedSchema(
        "AuditVerdict",
        "The result of a verification of the audit log.",
        [
            Field("proven", .flag, "Nothing was found, and there are seals that could be checked."),
            Field("intact", .flag, "Nothing was found."),
            Field("summary", .text, "One sentence."),
            Field("faults", .list(.text), "What was found; the first is the first bad row or seal."),
            Field("seals", .integer(0...), "How many seals were checked."),
            Field("sealedAt", .integer(0...).orNull, "When the latest seal was made.", example: 1_795_000_000_000),
            Field("milliseconds", .integer(0...), "How long it took."),
            Field(
                "tables",
                .list(
                    .object([
                        Field("name", .text, "Its name."),
                        Field("rows", .integer(0...), "Rows in chains."),
                        Field("unsealed", .integer(0...), "Of these not sealed yet."),
                        Field("removed", .integer(0...), "Rows that the retention has removed."),
                    ]).with("description", "One table.")),
                "Rows by table."),
        ])
}
