import EligibilityRules
import OfferService

/// The form for a new access key, as the page shows it.
struct AccessFormView: TemplateView {
    /// A choice of how long the key works.
    struct Term: TemplateView {
        let days: String
        let label: String
        let isChosen: Bool
    }

    /// An app that the key may be for.
    struct AppChoice: TemplateView {
        let id: String
        let isChosen: Bool
    }

    /// A role that the key may have.
    struct RoleChoice: TemplateView {
        let id: String
        let name: String
        let hint: String
        let isChosen: Bool
        /// Whether the role is above the reader's own.
        ///
        /// The reader cannot give such a role.
        let isAbove: Bool
    }

    private static let hints: [Role: String] = [
        .marketing: "Write campaigns, send them to review, read results.", .approver: "Approve and publish what others wrote.",
        .security: "Rotate signing keys, hand out access, read the audit log.",
        .viewer: "Read everything but secrets. Change nothing.",
        .backend: "For your server: sign offers and send purchase history.",
        .client: "For your app: ask for signatures. Nothing else.",
        .admin: "Everything. Only an admin can create one.",
    ]
    private static let order: [Role] = [.marketing, .approver, .security, .viewer, .backend, .client, .admin]

    let note: String
    /// Whether the note has a fault.
    let noteError: Bool
    let terms: [Term]
    let timeZone: String
    /// Whether the time zone has a fault.
    let zoneError: Bool
    let apps: [AppChoice]
    let mayChooseAll: Bool
    let allIsChosen: Bool
    let roles: [RoleChoice]

    init(_ form: AccessForm, for caller: Caller, apps bundleIDs: [String], faults: FormErrors) {
        note = form.note
        noteError = !faults["note"].isEmpty
        terms = AccessForm.terms.map { Term(days: $0.days, label: $0.label, isChosen: $0.days == form.term) }
        timeZone = form.timeZone
        zoneError = !faults["timeZone"].isEmpty
        apps = bundleIDs.filter(caller.mayUse).map { AppChoice(id: $0, isChosen: form.apps.contains($0)) }
        mayChooseAll = caller.apps == nil
        allIsChosen = form.isForAllApps
        roles = Self.order.map { role in
            RoleChoice(
                id: role.rawValue, name: role.rawValue.firstUppercased.filter { $0 != "." }, hint: Self.hints[role] ?? "",
                isChosen: role == form.role, isAbove: caller.role.isBelow(role))
        }
    }
}

/// What a user has entered into the form for a new access key.
struct AccessForm {
    /// The choices of how long a key works: the number of days, which is empty for no end, and the label.
    static let terms = [
        (days: "30", label: "30 days"), (days: "90", label: "90 days"), (days: "365", label: "1 year"),
        (days: "", label: "No end"),
    ]
    private static let every = "*"

    private(set) var note = ""
    private(set) var term = "90"
    private(set) var timeZone = ""
    private(set) var apps: [String] = []
    private(set) var role: Role?
    private(set) var faults = FormErrors.none

    /// Whether the key is for every app, including apps that are added later.
    var isForAllApps: Bool { apps.contains(Self.every) }

    /// Creates an empty form.
    init() {}

    /// Reads a submitted form.
    init(_ form: FormBody, at now: Instant) {
        note = String(form["note"].drop { $0.isWhitespace })
        term = form["expires"]
        timeZone = form["timeZone"]
        apps = form.all("app")
        role = Role(rawValue: form["role"])
        var faults: [(id: String, text: String)] = []
        if !Self.terms.contains(where: { $0.days == term }) { faults.append(("expires", "Choose how long the key works.")) }
        if apps.isEmpty { faults.append(("apps", "No app is chosen. Choose at least one, or all apps.")) }
        if role == nil { faults.append(("role", "No role is chosen. Choose what the key may do.")) }
        self.faults = FormErrors(keyRequest(at: now).faults(at: now).map { ($0.name, Self.words($0)) } + faults)
    }

    /// Returns a sentence that says what is wrong with a field.
    ///
    /// It names the field as the page does.
    private static func words(_ fault: FieldFault) -> String {
        let labels = ["note": "The note", "timeZone": "The time zone", "expiresAt": "The end"]
        return "\(labels[fault.name] ?? fault.name) \(fault.reason)."
    }

    /// Returns the request for the access key.
    ///
    /// The request is valid only if the form has no faults.
    func keyRequest(at now: Instant) -> AccessKeyRequest {
        AccessKeyRequest(
            role: role ?? .viewer, apps: isForAllApps ? nil : apps, note: note,
            timeZone: timeZone.isEmpty ? nil : timeZone,
            expiresAt: Int64(term).map { now.advanced(by: $0 * 86_400_000) })
    }
}
