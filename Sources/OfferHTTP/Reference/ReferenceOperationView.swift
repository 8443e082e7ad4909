/// An operation, as its page in the API reference shows it.
struct ReferenceOperationView: TemplateView {
    /// The body of a request.
    struct Request: TemplateView {
        let prose: [ProseView]
        let contents: [ReferenceContentView]
    }

    /// The answer with one status.
    struct Answer: TemplateView {
        let status: String
        let isSuccess: Bool
        let codes: [String]
        let prose: [ProseView]
        /// The forms of the answer; empty for a problem, because all problems have the same form.
        let contents: [ReferenceContentView]
    }

    let method: String
    let path: String
    let summary: String
    let prose: [ProseView]
    /// The parameters in the path, the query and the headers; nil if there are none.
    let parameters: ReferenceRowsView?
    let request: Request?
    let answers: [Answer]

    init(_ operation: ReferenceOperation) {
        let node = operation.node
        method = operation.method
        path = operation.path
        summary = node["summary"]?.text ?? ""
        prose = ProseView.all(of: node["description"]?.text)
        let fields = (node["parameters"]?.elements ?? []).map(ReferenceTable.Row.init(parameter:))
        parameters = fields.isEmpty ? nil : ReferenceRowsView(fields)
        request = node["requestBody"].map {
            Request(prose: ProseView.all(of: $0["description"]?.text), contents: ReferenceContentView.all(of: $0))
        }
        answers = operation.answers.map { status, answer in
            Answer(
                status: status, isSuccess: status == "200", codes: answer["x-codes"]?.elements.compactMap(\.text) ?? [],
                prose: ProseView.all(of: answer["description"]?.text),
                contents: answer["x-codes"] == nil ? ReferenceContentView.all(of: answer) : [])
        }
    }
}

/// One method of one path.
struct ReferenceOperation {
    let method: String
    let path: String
    let node: OpenAPINode

    /// The operation's id, which is also the last part of the path of its page.
    var id: String { node["operationId"]?.text ?? "\(method) \(path)" }

    /// The tag under which the operation is listed.
    var tag: String? { node["tags"]?.elements.first?.text }

    /// The answers, by status.
    var answers: [(status: String, answer: OpenAPINode)] { (node["responses"]?.members ?? []).map { ($0.name, $0.node) } }

    /// Returns every operation, in the document's order.
    static func all(of document: OpenAPINode) -> [ReferenceOperation] {
        (document["paths"]?.members ?? []).flatMap { path, methods in
            methods.members.map { ReferenceOperation(method: $0.name.uppercased(), path: path, node: $0.node) }
        }
    }
}

/// A paragraph or a list of a description.
struct ProseView: TemplateView {
    /// A list.
    struct List: TemplateView {
        var items: [RichText]
    }

    let paragraph: RichText?
    private(set) var list: List?

    /// Returns the parts of a description. Each line is a paragraph, except that lines that begin with `- ` are the items of a
    /// list.
    static func all(of text: String?) -> [ProseView] {
        var parts: [ProseView] = []
        for line in (text ?? "").split(separator: "\n") {
            guard line.hasPrefix("- ") else {
                parts.append(ProseView(paragraph: .words(line)))
                continue
            }
            let item = RichText.words(line.dropFirst(2))
            if parts.isEmpty || parts[parts.count - 1].list?.items.append(item) == nil {
                parts.append(ProseView(paragraph: nil, list: List(items: [item])))
            }
        }
        return parts
    }
}

extension RichText {
    /// Returns a line of a description, in which the words between backticks are marked as code.
    static func words(_ line: some StringProtocol) -> RichText {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        return RichText(
            runs: parts.compactMap { index, part in
                if !index.isMultiple(of: 2) { return Run(code: String(part)) }
                return part.isEmpty ? nil : Run(plain: String(part))
            })
    }
}

/// A body in one media type.
struct ReferenceContentView: TemplateView {
    /// An object in the body.
    struct Object: TemplateView {
        /// The place of the object in the body; nil for the whole body.
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
