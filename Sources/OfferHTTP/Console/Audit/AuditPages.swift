import Hummingbird
import OfferService

/// The pages about the audit log: its rows, and whether it is intact.
struct AuditPages: Sendable {
    private static let rows = 50

    let route: ConsoleRoute
    let audit: AuditBrowser
    let apps: AppDirectory
    let names: CallerNames

    var routes: [OperationRoute] {
        [
            route.get("/audit", .audit) { request, visitor in
                let query = try request.query(AuditSearch.fields + ["before"])
                return try await page(search(query, visitor), before: query["before"].flatMap(AuditCursor.init), visitor)
            },
            route.get("/audit.jsonl", .audit) { request, visitor in
                let search = try search(request.query(AuditSearch.fields), visitor)
                let export = try await AuditExport(search.query, of: audit, for: visitor.caller)
                return route.pages.download(export.body, type: "application/jsonl", name: "audit.jsonl")
            },
            route.post("/audit/verify", .audit) { _, _, _ in
                _ = try await audit.verify()
                return route.pages.redirect(to: "/console/audit")
            },
        ]
    }

    private func search(_ query: [String: String], _ visitor: ConsoleVisitor) -> AuditSearch {
        AuditSearch(query, for: visitor.caller, apps: apps.bundleIDs.filter(visitor.caller.mayUse))
    }

    private func page(_ search: AuditSearch, before: AuditCursor?, _ visitor: ConsoleVisitor) async throws -> Response {
        let time = route.pages.time(for: visitor)
        let names = try await names.all()
        let mine = apps.bundleIDs.filter(visitor.caller.mayUse)
        let page = try await audit.page(search.query, limit: Self.rows, after: before, for: visitor.caller)
        let filter = AuditFilterView(
            search, people: try await self.names.all(for: visitor.caller.apps), apps: mine, seesAll: visitor.caller.apps == nil)
        let view = AuditView(
            page, of: search, filter: filter, names: names, head: try await audit.head(), verdict: audit.lastVerdict, time)
        return route.pages.page(view, title: "Audit log", at: .audit, for: visitor)
    }
}
