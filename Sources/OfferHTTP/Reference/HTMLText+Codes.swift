extension HTMLText {
    /// Appends every error code, with its statuses, its meaning and an example of its detail.
    mutating func codes(_ document: OpenAPINode) {
        element("section", class: "operation", id: "codes") { section in
            section.element("h2", "Codes of errors")
            section.prose(document["components"]?["schemas"]?["Problem"]?["description"]?.text ?? "")
            section.element("table") { table in
                for code in ReferenceCode.all(of: document) {
                    table.element("tr") { line in
                        line.element("th", id: "code-\(code.code)") { $0.element("code", code.code) }
                        line.element("td", class: "type", code.statuses.joined(separator: ", "))
                        line.element("td") { cell in
                            cell.element("p") { $0.words(code.title[...]) }
                            if !code.example.isEmpty { cell.element("p", class: "bounds", code.example) }
                        }
                    }
                }
            }
        }
    }
}
