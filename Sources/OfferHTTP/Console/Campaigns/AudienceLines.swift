import EligibilityRules

/// Makes the lines that show an audience in the form.
///
/// The conditions are numbered in the order of the lines.
struct AudienceLines {
    private(set) var all: [AudienceLine] = []
    private var count = 0
    private let catalogue: Catalogue
    private let segments: [Segment]
    private let errors: FormErrors
    /// The address to which the form is sent.
    private let action: String

    init(form: ConditionNode, catalogue: Catalogue, segments: [Segment], errors: FormErrors, action: String) {
        self.catalogue = catalogue
        self.segments = segments
        self.errors = errors
        self.action = action
        add(form, id: "c", lead: "Customers for whom")
    }

    private mutating func add(_ node: ConditionNode, id: String, lead: String) {
        switch node {
        case .group(let kind, let parts): add(kind, parts, id: id, lead: lead)
        case .test(let test):
            count += 1
            let row = TestView(
                test: test, id: id, number: count, catalogue: catalogue, segments: segments, errors: errors,
                removal: "\(action)#\(holder(id))")
            all.append(AudienceLine(row: row))
        case .raw(let text):
            count += 1
            let raw = AudienceLine.Raw(
                id: id, number: count, text: text, error: errors["\(id).raw"].nonEmpty, removal: "\(action)#\(holder(id))")
            all.append(AudienceLine(raw: raw))
        }
    }

    private mutating func add(_ kind: ConditionGroupKind, _ parts: [ConditionNode], id: String, lead: String) {
        let isRoot = id == "c"
        let name = isRoot ? "the main conditions" : "group \(id.dropFirst(2))"
        let kinds = ChoiceList(kind.choices.map { ($0.rawValue, $0.label) }, chosen: kind.rawValue).all
        let open = AudienceLine.Open(
            id: id, name: name, lead: lead, count: parts.count, isRoot: isRoot, kinds: kinds,
            error: errors["\(id).kind"].nonEmpty)
        all.append(AudienceLine(open: open))
        for (index, part) in parts.enumerated() { add(part, id: "\(id).\(index)", lead: "and") }
        let close = AudienceLine.Close(
            id: id, name: name, isRoot: isRoot,
            facts: ChoiceList.facts(chosen: "subscription.state", hasSegments: !segments.isEmpty),
            next: "\(action)#\(id).\(parts.count).fact", nextGroup: "\(action)#\(id).\(parts.count).0.fact")
        all.append(AudienceLine(close: close))
    }

    private func holder(_ id: String) -> String { id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id }
}

/// A line of an audience in the form.
///
/// Exactly one of the fields has a value, and says which kind of line it is.
struct AudienceLine: TemplateView {
    /// The start of a group.
    struct Open: TemplateView {
        let id: String
        let name: String
        /// The words before the choice of how the group's parts are joined.
        let lead: String
        /// The number of parts.
        let count: Int
        let isRoot: Bool
        let kinds: [FieldView.Choice]
        let error: String?
    }

    /// A condition that is shown as text, because a row of inputs cannot show it.
    struct Raw: TemplateView {
        let id: String
        let number: Int
        let text: String
        let error: String?
        /// The address of the place on the page to which the button that removes the condition leads.
        let removal: String
    }

    /// The end of a group, with the buttons that add to it.
    struct Close: TemplateView {
        let id: String
        let name: String
        let isRoot: Bool
        let facts: [ChoiceList]
        /// The addresses to which the two buttons lead. Each is the place on the page of what the button adds: a condition or a
        /// group.
        let next: String
        let nextGroup: String
    }

    var open: Open?
    var row: TestView?
    var raw: Raw?
    var close: Close?
}
