/// A body in one media type.
struct ReferenceContentView: TemplateView {
    /// An object in the body.
    struct Object: TemplateView {
        /// Its place; nil for the whole body.
        let path: String?
        let name: String
        let prose: [ProseView]
        let table: ReferenceRowsView
    }

    /// An example of the body.
    struct Example: TemplateView {
        let name: String
        let text: String
    }

    /// The media type; nil for JSON.
    let media: String?
    let objects: [Object]
    let examples: [Example]

    /// Returns the forms of a request's or an answer's body.
    static func all(of holder: OpenAPINode) -> [ReferenceContentView] {
        (holder["content"]?.members ?? []).map { media, content in
            ReferenceContentView(
                media: media == "application/json" ? nil : media,
                objects: (content["schema"].map(ReferenceTable.all) ?? []).map { object in
                    Object(
                        path: object.path.isEmpty ? nil : object.path, name: object.name ?? "",
                        prose: ProseView.all(of: object.description), table: ReferenceRowsView(object.rows))
                },
                examples: (content["examples"]?.members ?? []).compactMap { name, example in
                    example["value"].map { Example(name: name, text: $0.text ?? $0.value.indented()) }
                })
        }
    }
}
