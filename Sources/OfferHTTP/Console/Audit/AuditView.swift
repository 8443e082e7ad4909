import OfferService

/// The page about the audit log.
struct AuditView: PageView {
    static let template = "audit"

    /// The latest check; nil if there was none yet.
    let verdict: AuditVerdictView?
    /// The path of the export of the same rows.
    let export: String
    /// The newest seal.
    let head: String?
    let filter: AuditFilterView
    let heading: String
    /// How many rows the search left out; empty if none.
    let leftOut: String
    let hasRows: Bool
    let rows: [AuditRow]
    /// The path of the next page.
    let older: String?

    /// Creates the page of a search.
    ///
    /// - Parameter names: the names of actors for people, by id.
    init(
        _ page: AuditPage,
        of search: AuditSearch,
        filter: AuditFilterView,
        names: [String: String],
        head: String?,
        verdict: AuditVerdict?,
        _ time: ConsoleTime
    ) {
        let link = search.link
        self.verdict = verdict.map { AuditVerdictView($0, time) }
        export = "/console/audit.jsonl\(link.isEmpty ? "" : "?")\(link)"
        self.head = head
        self.filter = filter
        heading = "\(ConsoleTime.count(page.lines.count, "row")), newest first"
        leftOut = Self.leftOut(page, search)
        hasRows = !page.lines.isEmpty
        rows = page.lines.map { AuditRow($0, names: names, time) }
        older = page.next.map { "/console/audit?\(link)\(link.isEmpty ? "" : "&")before=\($0.text)" }
    }

    private static func leftOut(_ page: AuditPage, _ search: AuditSearch) -> String {
        guard let count = page.leftOut, count > 0 else { return "" }
        return
            "\(ConsoleTime.count(Int(count), "signature or refusal", "signatures and refusals")) left out by “\(search.kind.name)”."
    }
}
