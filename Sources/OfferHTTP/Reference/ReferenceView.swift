/// What the page of an OpenAPI document shows.
struct ReferenceView: PageView {
    /// The operations of a tag.
    struct Chapter: TemplateView {
        let title: String
        let entries: [Entry]
    }

    /// A link to an operation.
    struct Entry: TemplateView {
        let id: String
        let method: String
        let path: String
        let summary: String
    }

    static let template = "reference"

    let style: String
    let title: String
    let version: String
    let introduction: [ProseView]
    let chapters: [Chapter]
    let operations: [ReferenceOperationView]
    let aboutCodes: [ProseView]
    let codes: [ReferenceCodeView]

    init(_ document: OpenAPINode, style: String) {
        let all = ReferenceOperation.all(of: document)
        self.style = style
        title = document["info"]?["title"]?.text ?? ""
        version = document["info"]?["version"]?.text ?? ""
        let schemes = document["components"]?["securitySchemes"]?.members ?? []
        introduction =
            ProseView.all(of: document["info"]?["description"]?.text)
            + schemes.flatMap { _, scheme in
                let form = scheme["bearerFormat"]?.text.map { "Header `Authorization: Bearer \($0)`. " } ?? ""
                return ProseView.all(of: form + (scheme["description"]?.text ?? ""))
            }
        chapters = (document["tags"]?.elements ?? []).map { tag in
            let name = tag["name"]?.text ?? ""
            return Chapter(
                title: tag["description"]?.text ?? name,
                entries: all.filter { $0.tag == name }.map {
                    Entry(id: $0.id, method: $0.method, path: $0.path, summary: $0.node["summary"]?.text ?? "")
                })
        }
        operations = all.map(ReferenceOperationView.init)
        aboutCodes = ProseView.all(of: document["components"]?["schemas"]?["Problem"]?["description"]?.text)
        codes = ReferenceCode.all(of: document).map(ReferenceCodeView.init)
    }
}
