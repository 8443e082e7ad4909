/// The fields of one object of a request or an answer.
struct ReferenceTable {
    /// One field.
    struct Row {
        let name: String
        let type: String
        let isRequired: Bool
        let description: String
        /// The allowed values, apart from the type; empty if all are allowed.
        let bounds: String
    }

    /// The place of the object, such as `results[]`; empty for the whole body.
    let path: String
    /// The name of the schema; nil if it has none.
    let name: String?
    let description: String
    let rows: [Row]

    /// Returns the object that a schema describes and all objects inside it. Each is listed once, and outer objects come first.
    static func all(of schema: OpenAPINode) -> [ReferenceTable] {
        var tables: [ReferenceTable] = []
        var waiting = [(path: "", schema: schema)]
        var seen: Set<String> = []
        while !waiting.isEmpty {
            let (path, schema) = waiting.removeFirst()
            if let name = schema.name, !seen.insert(name).inserted { continue }
            let variants = (schema["oneOf"] ?? schema["anyOf"])?.elements ?? []
            waiting += variants.map { (path, $0) }
            if let items = schema["items"] { waiting.append((path + "[]", items)) }
            guard let properties = schema["properties"]?.members, !properties.isEmpty else { continue }
            let required = Set(schema["required"]?.elements.compactMap(\.text) ?? [])
            tables.append(
                ReferenceTable(
                    path: path, name: schema.name, description: schema["description"]?.text ?? "",
                    rows: properties.map { Row(name: $0.name, schema: $0.node, isRequired: required.contains($0.name)) }))
            let prefix = path.isEmpty ? "" : path + "."
            waiting += properties.map { (prefix + $0.name, $0.node) }
        }
        return tables
    }
}

extension ReferenceTable.Row {
    /// Reads the schema of a property.
    init(name: String, schema: OpenAPINode, isRequired: Bool) {
        self.name = name
        type = schema.typeText
        self.isRequired = isRequired
        description = schema["description"]?.text ?? ""
        bounds = schema.boundsText(described: description)
    }

    /// Reads a parameter of an operation. In place of a type, it shows whether the parameter is in the path, the query or a
    /// header.
    init(parameter: OpenAPINode) {
        name = parameter["name"]?.text ?? ""
        type = parameter["in"]?.text ?? ""
        isRequired = parameter["required"]?.scalar == "true"
        description = parameter["description"]?.text ?? ""
        bounds = parameter["schema"]?.boundsText(described: "") ?? ""
    }
}
