import OfferService

/// The form that searches the audit log.
struct AuditFilterView: TemplateView {
    let from: String
    let to: String
    let q: String
    let people: [FieldView.Choice]
    let kinds: [FieldView.Choice]
    let apps: [FieldView.Choice]

    /// Creates the form of a search.
    ///
    /// - Parameters:
    ///   - people: the names of actors for people, by id.
    ///   - apps: the apps that the reader may see.
    ///   - seesAll: whether the reader may see all apps.
    init(_ search: AuditSearch, people: [String: String], apps: [String], seesAll: Bool) {
        from = search["from"]
        to = search["to"]
        q = search["q"]
        self.people = Self.choices(
            [("", "Anyone")] + people.sorted { $0.value < $1.value }.map { ($0.key, $0.value) }, search["who"])
        kinds = Self.choices(AuditSearch.kinds.map { ($0.id, $0.name) }, search.kind.id)
        self.apps = Self.choices((seesAll ? [("", "All apps")] : []) + apps.map { ($0, $0) }, search.app ?? "")
    }

    private static func choices(_ all: [(id: String, label: String)], _ chosen: String) -> [FieldView.Choice] {
        all.map { FieldView.Choice(id: $0.id, label: $0.label, isChosen: $0.id == chosen) }
    }
}
