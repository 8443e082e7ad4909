import Hummingbird
import NIOCore
import OfferService
import ServiceLifecycle
import WireText

/// The pages that show the rows of the audit log, and whether it is intact.
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

/// Exports rows of the audit log as JSON Lines.
///
/// At most one page of rows is in memory at a time.
struct AuditExport: Sendable {
    private static let rowsAtOnce = 200

    let audit: AuditBrowser
    let query: AuditQuery
    let caller: Caller
    /// The first page of rows.
    ///
    /// It is read before the answer begins, so that an error can still be answered as a problem.
    private let first: AuditPage

    /// Throws if the caller may not see these rows.
    init(_ query: AuditQuery, of audit: AuditBrowser, for caller: Caller) async throws {
        self.audit = audit
        self.query = query
        self.caller = caller
        first = try await audit.page(query, limit: Self.rowsAtOnce, after: nil, for: caller)
    }

    /// The rows, latest first.
    ///
    /// Rows that are written during the export are left out.
    var body: ResponseBody {
        ResponseBody { writer in
            var page = first
            while true {
                try await writer.write(Self.lines(of: page))
                guard let next = page.next else { return try await writer.finish(nil) }
                // A shutdown does not wait for the export. The answer then breaks off without its end mark, so that the client
                // notices that it is incomplete.
                if Task.isShuttingDownGracefully { throw CancellationError() }
                page = try await audit.page(query, limit: Self.rowsAtOnce, after: next, for: caller)
            }
        }
    }

    private static func lines(of page: AuditPage) -> ByteBuffer {
        var buffer = ByteBuffer()
        for line in page.lines {
            buffer.writeBytes(AuditJSON.line(line).bytes)
            buffer.writeInteger(UInt8(ascii: "\n"))
        }
        return buffer
    }
}
