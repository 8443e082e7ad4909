import EligibilityRules
import Hummingbird
import OfferService

/// The pages about the audit log: its rows, and whether it is intact.
struct AuditPages: Sendable {
    private static let rows = 50
    /// The largest value that is shown in full, in bytes.
    private static let maxShown = 200
    private static let actionNames = [
        "key.activate": "Key activated", "key.rollback": "Key rolled back", "key.revoke": "Key revoked",
        "key.stage": "Key staged",
        "key.propose": "Second person asked for", "key.withdraw": "Proposal withdrawn", "access.create": "Access key created",
        "access.revoke": "Access key revoked", "configuration.load": "Configuration loaded",
        "configuration.reload": "Configuration read again", "customer.bind": "Subscription bound to a customer",
        "customer.erase": "Customer erased", "customer.import": "Purchases imported", "clock.accept": "Clock accepted",
        "clock.repair": "Clock repaired", "audit.rotate-key": "Audit key rotated", "console.sign-in": "Signed in",
        "signature.made": "Signature made", "signature.refused": "Signature refused",
    ]

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
        var values: [String: Any] = [
            "from": search["from"], "to": search["to"], "q": search["q"],
            "export": "/console/audit.jsonl\(search.link.isEmpty ? "" : "?")\(search.link)",
            "people": [option("", "Anyone", search["who"])]
                + (try await self.names.all(for: visitor.caller.apps)).sorted { $0.value < $1.value }.map {
                    option($0.key, $0.value, search["who"])
                },
            "kinds": AuditSearch.kinds.map { option($0.id, $0.name, search.kind.id) },
            "apps": (visitor.caller.apps == nil ? [option("", "All apps", search.app)] : [])
                + mine.map { option($0, $0, search.app) },
            "heading": "\(ConsoleTime.count(page.lines.count, "row")), newest first",
            "leftOut": leftOut(page, search),
            "hasRows": !page.lines.isEmpty, "rows": page.lines.map { row($0, names, time) },
        ]
        if let head = try await audit.head() { values["head"] = head }
        if let next = page.next {
            values["older"] = "/console/audit?\(search.link)\(search.link.isEmpty ? "" : "&")before=\(next.text)"
        }
        if let verdict = audit.lastVerdict { values["verdict"] = shown(verdict, time) }
        return route.pages.page(.audit, values, title: "Audit log", at: .audit, for: visitor)
    }

    private func leftOut(_ page: AuditPage, _ search: AuditSearch) -> String {
        guard let count = page.leftOut, count > 0 else { return "" }
        return
            "\(ConsoleTime.count(Int(count), "signature or refusal", "signatures and refusals")) left out by “\(search.kind.name)”."
    }

    private func option(_ id: String, _ name: String, _ chosen: String?) -> [String: Any] {
        ["id": id, "name": name, "isChosen": id == (chosen ?? "")]
    }

    private func row(_ line: AuditLine, _ names: [String: String], _ time: ConsoleTime) -> [String: Any] {
        var values: [String: Any] = [
            "at": time.at(line.at, withZone: false), "who": names[line.actor] ?? line.actor,
            "what": Self.actionNames[line.action] ?? line.action,
            "subject": [line.subject.map { names[$0] ?? $0 }, line.bundleID, line.customerID].compactMap(\.self).joined(
                separator: ", "),
            "before": line.before ?? "", "after": line.after ?? "", "reason": line.reason ?? "",
            "row": ConsoleTime.number(Int(line.row)), "request": line.requestID ?? "", "address": line.address ?? "",
        ].filter { !(($0.value as? String)?.isEmpty ?? false) || ["subject", "request"].contains($0.key) }
        // A whole configuration is shown only on request.
        let texts = [("Before", line.before), ("After", line.after)].compactMap { name, text in text.map { (name, $0) } }
        if texts.contains(where: { $0.1.utf8.count > Self.maxShown }) {
            values["before"] = nil
            values["after"] = nil
            values["long"] = texts.map { ["summary": "\($0.0), \(ConsoleTime.count($0.1.count, "character"))", "text": $0.1] }
        }
        return values
    }

    private func shown(_ verdict: AuditVerdict, _ time: ConsoleTime) -> [String: Any] {
        [
            "tone": verdict.isIntact ? (verdict.isProven ? "good" : "warn") : "bad",
            "badge": verdict.isIntact ? (verdict.isProven ? "Chain verified" : "Not sealed") : "Changed",
            "summary": verdict.summary.firstUppercased, "at": time.at(verdict.checkedAt),
            "seconds": "\(verdict.milliseconds / 1000).\(verdict.milliseconds % 1000 / 100)",
            "hasFaults": !verdict.faults.isEmpty,
            "faults": Array(verdict.faults.prefix(20)),
        ]
    }
}
