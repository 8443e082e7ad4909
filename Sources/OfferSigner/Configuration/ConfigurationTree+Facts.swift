extension ConfigurationTree {
    /// Each key that was set, for the audit log: `limits.burst: 400`, one a line, sorted. The value of a secret is left out.
    var facts: [String] {
        var facts: [String] = []
        ConfigurationTree.collect(root, path: "", place: "", &facts)
        return facts.sorted()
    }

    private static func collect(_ node: ConfigurationNode, path: String, place: String, _ facts: inout [String]) {
        switch node {
        case .null: return
        case .scalar(let text):
            let isSecret = ConfigurationKey.all.first { $0.path == path }?.isSecret ?? true
            facts.append("\(place): \(isSecret ? "(secret)" : text)")
        case .map(let map) where ConfigurationKey.all.contains { $0.path == path }:
            let entries = map.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.scalar ?? "")" }
            facts.append("\(place): \(entries.joined(separator: ", "))")
        case .map(let map):
            for (name, child) in map {
                let dot = path.isEmpty ? "" : "."
                collect(child, path: "\(path)\(dot)\(name)", place: "\(place)\(dot)\(name)", &facts)
            }
        case .list(let nodes):
            if let texts = node.scalars {
                facts.append("\(place): \(texts.joined(separator: ", "))")
            } else {
                for (index, child) in nodes.enumerated() {
                    collect(child, path: path + "[]", place: "\(place)[\(name(of: child) ?? String(index))]", &facts)
                }
            }
        }
    }

    // Apps, groups and products have ids; their places in the list have no meaning.
    private static func name(of node: ConfigurationNode) -> String? {
        for name in ["bundleId", "id"] {
            if case .scalar(let text)? = node[name] { return text }
        }
        return nil
    }
}
