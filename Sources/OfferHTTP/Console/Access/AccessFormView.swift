import OfferService

/// The form for a new access key as a page shows it.
struct AccessFormView: TemplateView {
    /// How long the key works.
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
        /// Whether the role is above the reader's, who then cannot choose it.
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
