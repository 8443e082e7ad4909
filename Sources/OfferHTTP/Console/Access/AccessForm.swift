import EligibilityRules
import OfferService

/// The form for a new access key, as filled in.
struct AccessForm {
    private static let terms = [("30", "30 days"), ("90", "90 days"), ("365", "1 year"), ("", "No end")]
    private static let hints: [Role: String] = [
        .marketing: "Write campaigns, send them to review, read results.", .approver: "Approve and publish what others wrote.",
        .security: "Rotate signing keys, hand out access, read the audit log.",
        .viewer: "Read everything but secrets. Change nothing.",
        .backend: "For your server: sign offers and send purchase history.",
        .client: "For your app: ask for signatures. Nothing else.",
        .admin: "Everything. Only an admin can create one.",
    ]
    private static let order: [Role] = [.marketing, .approver, .security, .viewer, .backend, .client, .admin]
    private static let every = "*"
    private static let maxNote = 200

    private var note = ""
    private var term = "90"
    private var timeZone = ""
    private var apps: [String] = []
    private var role: Role?
    private(set) var faults: [(field: String, text: String)] = []

    /// Creates an empty form.
    init() {}

    /// Reads a submitted form.
    init(_ form: FormBody) {
        note = String(form["note"].drop { $0.isWhitespace })
        term = form["expires"]
        timeZone = form["timeZone"]
        apps = form.all("app")
        role = Role(rawValue: form["role"])
        if note.isEmpty { faults.append(("note", "The note is empty. Say what the key is for: people know it by this.")) }
        if note.unicodeScalars.count > Self.maxNote {
            faults.append(("note", "The note is longer than \(Self.maxNote) characters. Shorten it."))
        }
        if !timeZone.isEmpty, !TimeZoneName.isKnown(timeZone) {
            faults.append(("timeZone", "“\(timeZone)” is not a time zone. Write it as Europe/Berlin, or leave it empty for UTC."))
        }
        if !Self.terms.contains(where: { $0.0 == term }) { faults.append(("expires", "Choose how long the key works.")) }
        if apps.isEmpty { faults.append(("apps", "No app is chosen. Choose at least one, or all apps.")) }
        if role == nil { faults.append(("role", "No role is chosen. Choose what the key may do.")) }
    }

    /// Returns the access key to create, which is valid if there are no faults.
    func keyRequest(at now: Instant) -> AccessKeyRequest {
        AccessKeyRequest(
            role: role ?? .viewer, apps: apps.contains(Self.every) ? nil : apps, note: note,
            timeZone: timeZone.isEmpty ? nil : timeZone,
            expiresAt: Int64(term).map { now.advanced(by: $0 * 86_400_000) })
    }

    /// Returns the values for the template.
    func values(for caller: Caller, apps bundleIDs: [String], faults: [(field: String, text: String)]) -> [String: Any] {
        [
            "note": note, "timeZone": timeZone, "noteError": faults.contains { $0.field == "note" },
            "zoneError": faults.contains { $0.field == "timeZone" },
            "terms": Self.terms.map { ["days": $0.0, "label": $0.1, "isChosen": $0.0 == term] as [String: Any] },
            "apps": bundleIDs.filter(caller.mayUse).map { ["id": $0, "isChosen": apps.contains($0)] as [String: Any] },
            "mayChooseAll": caller.apps == nil, "allIsChosen": apps.contains(Self.every),
            "roles": Self.order.map { each in
                [
                    "id": each.rawValue, "name": each.rawValue.firstUppercased.filter { $0 != "." },
                    "hint": Self.hints[each] ?? "",
                    "isChosen": each == role, "isAbove": caller.role.isBelow(each),
                ] as [String: Any]
            },
        ]
    }
}
