/// A table of fields.
struct ReferenceRowsView: TemplateView {
    /// One field.
    struct Row: TemplateView {
        let name: String
        let isRequired: Bool
        let type: String
        let prose: [ProseView]
        let bounds: RichText?
    }

    let rows: [Row]

    init(_ fields: [ReferenceTable.Row]) {
        rows = fields.map { field in
            Row(
                name: field.name, isRequired: field.isRequired, type: field.type, prose: ProseView.all(of: field.description),
                bounds: field.bounds.isEmpty ? nil : .words(field.bounds))
        }
    }
}
