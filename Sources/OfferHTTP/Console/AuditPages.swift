import EligibilityRules
import FoundationEssentials
import Hummingbird
import OfferService

/// What happened, and whether the log is intact.
struct AuditPages: Sendable {
    private static let rows = 50
    /// Bytes of a value that is shown as it is.
    private static let maxShown = 200
    private static let day: Int64 = 86_400_000
    private static let kinds: [(id: String, name: String, kind: AuditQuery.Kind)] = [
        ("", "All changes", .changes), ("signatures", "Signatures", .signatures), ("refusals", "Refusals", .refusals),
        ("keys", "Signing keys", .action("key.")), ("access", "Access", .action("access.")),
        ("configuration", "Configuration", .action("configuration.")), ("customers", "Customers", .action("customer.")),
        ("sign-ins", "Sign-ins", .action("console.")), ("everything", "Everything", .everything),
    ]
    private static let deeds = [
        "key.activate": "Key activated", "key.rollback": "Key rolled back", "key.revoke": "Key revoked",
        "key.stage": "Key staged",
        "key.propose": "Second person asked for", "key.withdraw": "Proposal taken back", "access.create": "Access key created",
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
                try await page(request.query(["from", "to", "who", "what", "app", "q", "before"]), visitor)
            },
            route.post("/audit/verify", .audit) { _, visitor, _ in try await page([:], visitor, verdict: await audit.verify()) },
        ]
    }

    private func page(_ query: [String: String], _ visitor: ConsoleVisitor, verdict: AuditVerdict? = nil) async throws -> Response
    {
        let time = route.pages.time(for: visitor)
        let names = try await names.all()
        let mine = apps.bundleIDs.filter(visitor.caller.mayUse)
        let kind = Self.kinds.first { $0.id == query["what"] } ?? Self.kinds[0]
        let app = query["app"].flatMap { $0.isEmpty ? nil : $0 } ?? (visitor.caller.apps == nil ? nil : mine.first)
        let wanted = AuditQuery(
            kind.kind, bundleID: app, actor: query["who"].flatMap { $0.isEmpty ? nil : $0 },
            text: query["q"].flatMap { $0.isEmpty ? nil : $0 }, from: Self.start(of: query["from"]),
            until: Self.start(of: query["to"]).map { $0.advanced(by: Self.day - 1) })
        let page = try await audit.page(
            wanted, limit: Self.rows, after: query["before"].flatMap(AuditCursor.init), for: visitor.caller)
        var values: [String: Any] = [
            "from": query["from"] ?? "", "to": query["to"] ?? "", "q": query["q"] ?? "",
            "people": [option("", "Anyone", query["who"])]
                + names.sorted { $0.value < $1.value }.map { option($0.key, $0.value, query["who"]) },
            "kinds": Self.kinds.map { option($0.id, $0.name, kind.id) },
            "apps": (visitor.caller.apps == nil ? [option("", "All apps", app)] : []) + mine.map { option($0, $0, app) },
            "heading": "\(ConsoleTime.count(page.lines.count, "row")), newest first",
            "leftOut": page.leftOut == 0
                ? ""
                : "\(ConsoleTime.count(Int(page.leftOut), "signature or refusal", "signatures and refusals")) left out by “\(kind.name)”.",
            "hasRows": !page.lines.isEmpty, "rows": page.lines.map { row($0, names, time) },
        ]
        if let head = try await audit.head() { values["head"] = head }
        if let next = page.next {
            let kept = ["from", "to", "who", "what", "app", "q"].compactMap { name in
                query[name].map { "\(name)=\(PercentEncoding.encoded($0))&" }
            }
            values["older"] = "/console/audit?\(kept.joined())before=\(next.text)"
        }
        if let verdict { values["verdict"] = shown(verdict, time) }
        return route.pages.page(.audit, values, title: "Audit log", at: .audit, for: visitor)
    }

    private func option(_ id: String, _ name: String, _ chosen: String?) -> [String: Any] {
        ["id": id, "name": name, "isChosen": id == (chosen ?? "")]
    }

    private func row(_ line: AuditLine, _ names: [String: String], _ time: ConsoleTime) -> [String: Any] {
        var values: [String: Any] = [
            "at": time.at(line.at, withZone: false), "who": names[line.actor] ?? line.actor,
            "what": Self.deeds[line.action] ?? line.action,
            "subject": [line.subject.map { names[$0] ?? $0 }, line.bundleID, line.customerID].compactMap(\.self).joined(
                separator: ", "),
            "before": line.before ?? "", "after": line.after ?? "", "reason": line.reason ?? "",
            "row": ConsoleTime.number(Int(line.row)), "request": line.requestID ?? "", "address": line.address ?? "",
        ].filter { !(($0.value as? String)?.isEmpty ?? false) || ["subject", "request"].contains($0.key) }
        // A whole configuration is looked at by those who ask for it.
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
            "summary": verdict.summary.firstUppercased, "at": time.at(time.now),
            "seconds": "\(verdict.milliseconds / 1000).\(verdict.milliseconds % 1000 / 100)",
            "hasFaults": !verdict.faults.isEmpty,
            "faults": Array(verdict.faults.prefix(20)),
        ]
    }

    /// The first instant of a day such as `2026-11-21`; nil for anything else.
    private static func start(of day: String?) -> Instant? {
        guard let day, day.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil else { return nil }
        let date = try? Date(day + "T00:00:00Z", strategy: .iso8601)
        return date.map { Instant(milliseconds: Int64($0.timeIntervalSince1970) * 1000) }
    }
}
