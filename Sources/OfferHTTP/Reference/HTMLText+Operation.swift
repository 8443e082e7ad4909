extension HTMLText {
    /// Appends the list of operations, by tag.
    mutating func contents(_ tags: [OpenAPINode], _ operations: [ReferenceOperation]) {
        for tag in tags {
            let name = tag["name"]?.text ?? ""
            element("section") { section in
                section.element("h2") { $0.append(tag["description"]?.text ?? name) }
                section.element("ul") { list in
                    for operation in operations where operation.tag == name {
                        list.element("li") { item in
                            item.link("#\(operation.id)", "\(operation.method) \(operation.path)")
                            item.element("span", operation.node["summary"]?.text ?? "")
                        }
                    }
                }
            }
        }
        element("p") { $0.link("#codes", "All codes of errors") }
    }

    /// Appends the description of one operation.
    mutating func operation(_ operation: ReferenceOperation) {
        element("section", class: "operation", id: operation.id) { section in
            section.element("h2") { heading in
                heading.element("span", class: "method", operation.method)
                heading.append(" ")
                heading.element("code", operation.path)
            }
            section.element("p", class: "summary", operation.node["summary"]?.text ?? "")
            section.prose(operation.node["description"]?.text ?? "")
            section.parameters(operation.node["parameters"]?.elements ?? [])
            if let request = operation.node["requestBody"] {
                section.element("h3", "Request")
                section.prose(request["description"]?.text ?? "")
                section.body(request, of: operation, "request")
            }
            section.element("h3", "Answers")
            for (status, answer) in operation.answers { section.answer(status, answer, of: operation) }
        }
    }

    private mutating func parameters(_ parameters: [OpenAPINode]) {
        guard !parameters.isEmpty else { return }
        element("h3", "Path and headers")
        table(
            parameters.map { parameter in
                ReferenceTable.Row(
                    name: parameter["name"]?.text ?? "", type: parameter["in"]?.text ?? "",
                    isRequired: parameter["required"]?.scalar == "true",
                    description: parameter["description"]?.text ?? "",
                    bounds: parameter["schema"]?.boundsText(described: "") ?? "")
            })
    }

    private mutating func answer(_ status: String, _ answer: OpenAPINode, of operation: ReferenceOperation) {
        element("h4") { heading in
            heading.element("span", class: status == "200" ? "status good" : "status", status)
            for code in answer["x-codes"]?.elements.compactMap(\.text) ?? [] {
                heading.append(" ")
                heading.element("code") { $0.link("#code-\(code)", code) }
            }
        }
        prose(answer["description"]?.text ?? "")
        if answer["x-codes"] == nil { body(answer, of: operation, status) }
    }

    private mutating func body(_ holder: OpenAPINode, of operation: ReferenceOperation, _ part: String) {
        for (media, content) in holder["content"]?.members ?? [] {
            if media != "application/json" { element("p") { $0.element("code", media) } }
            for object in content["schema"].map(ReferenceTable.all) ?? [] {
                element("h5") { heading in
                    if !object.path.isEmpty { heading.element("code", object.path) }
                    heading.append(" \(object.name ?? "")")
                }
                prose(object.description)
                table(object.rows)
            }
            for (name, example) in content["examples"]?.members ?? [] {
                guard let value = example["value"] else { continue }
                element("details") { details in
                    details.element("summary", "Example: \(name)")
                    details.element("pre", value.text ?? value.value.indented())
                }
            }
        }
    }

    private mutating func table(_ rows: [ReferenceTable.Row]) {
        element("table") { table in
            for row in rows {
                table.element("tr") { line in
                    line.element("th") { cell in
                        cell.element("code", row.name)
                        if row.isRequired { cell.element("small", "required") }
                    }
                    line.element("td", class: "type", row.type)
                    line.element("td") { cell in
                        cell.prose(row.description)
                        if !row.bounds.isEmpty { cell.element("p", class: "bounds") { $0.words(row.bounds[...]) } }
                    }
                }
            }
        }
    }
}
