/// One method of one path.
struct ReferenceOperation {
    let method: String
    let path: String
    let node: OpenAPINode

    /// The place on the page.
    var id: String { node["operationId"]?.text ?? "\(method) \(path)" }

    /// The tag that it is listed under.
    var tag: String? { node["tags"]?.elements.first?.text }

    /// What answers there are, by status.
    var answers: [(status: String, answer: OpenAPINode)] { (node["responses"]?.members ?? []).map { ($0.name, $0.node) } }

    /// Every operation, in the document's order.
    static func all(of document: OpenAPINode) -> [ReferenceOperation] {
        (document["paths"]?.members ?? []).flatMap { path, methods in
            methods.members.map { ReferenceOperation(method: $0.name.uppercased(), path: path, node: $0.node) }
        }
    }
}
