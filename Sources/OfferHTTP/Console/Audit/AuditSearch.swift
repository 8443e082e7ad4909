import EligibilityRules
import FoundationEssentials
import OfferService

/// A search of the audit log, as the page's form sends it.
///
/// Both the page and the export use it, so that they show the same rows.
struct AuditSearch {
    /// The fields that the query may have.
    static let fields = ["from", "to", "who", "what", "app", "q"]
    static let kinds: [(id: String, name: String, kind: AuditQuery.Kind)] = [
        ("", "All changes", .changes), ("signatures", "Signatures", .signatures), ("refusals", "Refusals", .refusals),
        ("keys", "Signing keys", .action("key.")), ("access", "Access", .action("access.")),
        ("configuration", "Configuration", .action("configuration.")), ("customers", "Customers", .action("customer.")),
        ("sign-ins", "Sign-ins", .action("console.")), ("everything", "Everything", .everything),
    ]
    private static let day: Int64 = 86_400_000

    /// The chosen element of `kinds`.
    let kind: (id: String, name: String, kind: AuditQuery.Kind)
    /// The app whose rows are searched for; nil for those of all apps.
    let app: String?
    private let texts: [String: String]

    /// - Parameter apps: the apps that the caller may see.
    init(_ query: [String: String], for caller: Caller, apps: [String]) {
        texts = query.filter { Self.fields.contains($0.key) && !$0.value.isEmpty }
        kind = Self.kinds.first { $0.id == query["what"] } ?? Self.kinds[0]
        app = texts["app"] ?? (caller.apps == nil ? nil : apps.first)
    }

    /// Returns the value of a field; empty if there is none.
    subscript(name: String) -> String { texts[name] ?? "" }

    var query: AuditQuery {
        AuditQuery(
            kind.kind, bundleID: app, actor: texts["who"], text: texts["q"], from: Self.start(of: texts["from"]),
            until: Self.start(of: texts["to"]).map { $0.advanced(by: Self.day - 1) })
    }

    /// The query string of this search, for links: `from=2026-11-21&what=keys`.
    var link: String {
        Self.fields.compactMap { name in texts[name].map { "\(name)=\(PercentEncoding.encoded($0))" } }.joined(separator: "&")
    }

    /// Returns the first instant of a day such as `2026-11-21`; nil if the text is not a day.
    private static func start(of day: String?) -> Instant? {
        guard let day, day.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil else { return nil }
        let date = try? Date(day + "T00:00:00Z", strategy: .iso8601)
        return date.map { Instant(milliseconds: Int64($0.timeIntervalSince1970) * 1000) }
    }
}
