/// An error code as the page of the OpenAPI document explains it.
struct ReferenceCodeView: TemplateView {
    let code: String
    let statuses: String
    let title: RichText
    let example: String?

    init(_ code: ReferenceCode) {
        self.code = code.code
        statuses = code.statuses.joined(separator: ", ")
        title = .words(code.title)
        example = code.example.isEmpty ? nil : code.example
    }
}
