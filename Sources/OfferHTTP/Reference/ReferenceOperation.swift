/// One method of one path.
struct ReferenceOperation {
    let method: String
    let path: String
    let node: OpenAPINode

    /// The anchor on the page.
    var id: String { node["operationId"]?.text ?? "\(method) \(path)" }

    /// The tag that it is listed under.
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
