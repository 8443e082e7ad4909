/// The documentation of one error code.
struct ReferenceCode {
    let code: String
    /// The HTTP statuses that it occurs with.
    let statuses: [String]
    /// The kind of error in one line; empty if the document has neither an example nor a line for it.
    let title: String
    /// An example of its detail.
    let example: String

    /// Returns every code, in the document's order.
    static func all(of document: OpenAPINode) -> [ReferenceCode] {
        let answers = ReferenceOperation.all(of: document).flatMap(\.answers)
        let components = document["components"]
        let general = components?["responses"]?.members.map(\.node) ?? []
        let examples = general.flatMap { $0["content"]?["application/problem+json"]?["examples"]?.members ?? [] }
        // Codes that occur only in notifications or parts of a request are explained in lists.
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
