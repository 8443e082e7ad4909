// As inputs of a form: each part has an id, the root `c`, its parts `c.0`, `c.1`, …
extension ConditionNode {
    private static let maxDepth = 64
    private static let maxParts = 1000

    /// Reads a submitted form.
    ///
    /// - Parameter fields: all values of each name.
    init(_ fields: [String: [String]], id: String, depth: Int = 1) {
        func text(_ name: String) -> String { fields["\(id).\(name)"]?.first ?? "" }
        if let raw = fields["\(id).raw"]?.first {
            self = .raw(raw)
        } else if let fact = fields["\(id).fact"]?.first {
            var test = TestFields(fact: fact, comparison: text("op"))
            test.name = text("name")
            test.group = text("group")
            test.type = fields["\(id).type"]?.first ?? "text"
            test.value = (fields["\(id).value"] ?? []).joined(separator: "\n")
            test.end = text("end")
            if fact != text("was") { test.adapt() }
            test.settleCountries(order: text("order").split(separator: "\n").map(String.init))
            self = .test(test)
        } else {
            let count = depth < Self.maxDepth ? min(Int(text("n")) ?? 0, Self.maxParts) : 0
            let parts = (0..<max(0, count)).map { ConditionNode(fields, id: "\(id).\($0)", depth: depth + 1) }
            self = .group(ConditionGroupKind(rawValue: text("kind")) ?? .all, parts)
        }
    }

    /// Adds a part to a group.
    mutating func add(_ node: ConditionNode, to id: String) {
        change(id) { if case .group(let kind, let parts) = $0 { $0 = .group(kind, parts + [node]) } }
    }

    /// Removes a part, and the groups that become empty.
    mutating func remove(_ id: String) {
        guard let dot = id.lastIndex(of: "."), let index = Int(id[id.index(after: dot)...]) else { return }
        let holder = String(id[..<dot])
        var isEmpty = false
        change(holder) { node in
            guard case .group(let kind, var parts) = node, parts.indices.contains(index) else { return }
            parts.remove(at: index)
            isEmpty = parts.isEmpty
            node = .group(kind, parts)
        }
        if isEmpty, holder != "c" { remove(holder) }
    }

    /// Changes the countries of a row.
    mutating func chooseCountries(_ preset: String, of id: String) {
        change(id) { node in
            guard case .test(var test) = node else { return }
            test.chooseCountries(preset)
            node = .test(test)
        }
    }

    /// Returns the number of parts of a group.
    func count(of id: String) -> Int {
        var count = 0
        var copy = self
        copy.change(id) { if case .group(_, let parts) = $0 { count = parts.count } }
        return count
    }

    private mutating func change(_ id: String, _ body: (inout ConditionNode) -> Void) {
        change(id.split(separator: ".").dropFirst().compactMap { Int($0) }[...], body)
    }

    private mutating func change(_ path: ArraySlice<Int>, _ body: (inout ConditionNode) -> Void) {
        guard let index = path.first else { return body(&self) }
        guard case .group(let kind, var parts) = self, parts.indices.contains(index) else { return }
        parts[index].change(path.dropFirst(), body)
        self = .group(kind, parts)
    }
}

/// How the parts of a group are joined.
enum ConditionGroupKind: String, CaseIterable {
    case all, any, none
    /// Not all parts hold.
    case notAll = "not-all"
    /// The single part does not hold; of several parts, none holds.
    case not
    /// The single part stands for itself; of several parts, all hold.
    case bare

    /// The name for people.
    var label: String {
        switch self {
        case .all, .bare: "all"
        case .any: "at least one"
        case .none, .not: "none"
        case .notAll: "not all"
        }
    }

    /// The kinds that may replace this one.
    var choices: [ConditionGroupKind] {
        switch self {
        case .bare: [.bare, .any, .none]
        case .not: [.all, .any, .not]
        case .notAll: [.all, .any, .none, .notAll]
        case .all, .any, .none: [.all, .any, .none]
        }
    }
}
