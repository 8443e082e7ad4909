/// An operation as the page of the OpenAPI document describes it.
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
        /// Empty for a problem: all of them have the same form.
        let contents: [ReferenceContentView]
    }

    let id: String
    let method: String
    let path: String
    let summary: String
    let prose: [ProseView]
    /// The fields of the path and the headers; nil without one.
    let parameters: ReferenceRowsView?
    let request: Request?
    let answers: [Answer]

    init(_ operation: ReferenceOperation) {
        let node = operation.node
        id = operation.id
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
