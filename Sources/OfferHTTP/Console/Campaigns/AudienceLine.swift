/// A line of the conditions; exactly one field has a value.
struct AudienceLine: TemplateView {
    /// The start of a group.
    struct Open: TemplateView {
        let id: String
        let name: String
        /// The words before the choice of the kind.
        let lead: String
        /// The number of parts.
        let count: Int
        let isRoot: Bool
        let kinds: [FieldView.Choice]
        let error: String?
    }

    /// A condition as text.
    struct Raw: TemplateView {
        let id: String
        let number: Int
        let text: String
        let error: String?
        /// The address that the removal button leads to.
        let removal: String
    }

    /// The end of a group, with the buttons that add to it.
    struct Close: TemplateView {
        let id: String
        let name: String
        let isRoot: Bool
        let facts: [ChoiceList]
        /// The addresses that the buttons lead to.
        let next: String
        let nextGroup: String
    }

    var open: Open?
    var row: TestView?
    var raw: Raw?
    var close: Close?
}
