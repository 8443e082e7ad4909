/// The page that lists the operations of an OpenAPI document.
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
    }
}

/// An error code, as the page of codes explains it.
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

/// The documentation of one error code.
struct ReferenceCode {
    let code: String
    /// The HTTP statuses that it occurs with.
    let statuses: [String]
    /// The kind of error in one line; empty if the document has neither an example nor an explanation of the code.
    let title: String
    /// An example of the `detail` that a problem with this code has.
    let example: String

    /// Returns every code, in the document's order.
    static func all(of document: OpenAPINode) -> [ReferenceCode] {
        let answers = ReferenceOperation.all(of: document).flatMap(\.answers)
        let components = document["components"]
        let general = components?["responses"]?.members.map(\.node) ?? []
        let examples = general.flatMap { $0["content"]?["application/problem+json"]?["examples"]?.members ?? [] }
        // Some codes are no codes of whole answers. They occur only in parts of an answer, and are explained in the lists of the
        // schemas.
        let explanations = (general + (components?["schemas"]?.members ?? []).compactMap { $0.node["properties"]?["code"] })
            .flatMap { ($0["description"]?.text ?? "").split(separator: "\n") }
        let codes = components?["schemas"]?["Problem"]?["properties"]?["code"]?["x-codes"]?.elements.compactMap(\.text) ?? []
        return codes.map { code in
            let stem = code.prefix { $0 != "{" }
            let example = examples.first { stem.count == code.count ? $0.name == code : $0.name.hasPrefix(stem) }?.node["value"]
            let line = explanations.first { $0.hasPrefix("- `\(code)`: ") }
            var statuses: [String] = []
            for (status, answer) in answers where !statuses.contains(status) {
                if answer["x-codes"]?.elements.contains(where: { $0.text == code }) == true { statuses.append(status) }
            }
            if statuses.isEmpty, let status = example?["status"]?.scalar { statuses = [status] }
            return ReferenceCode(
                code: code, statuses: statuses,
                title: line.map { String($0.dropFirst(code.count + 6)) } ?? example?["title"]?.text ?? "",
                example: example?["detail"]?.text ?? "")
        }
    }
}
