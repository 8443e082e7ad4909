// Conditions as inputs of a form. Each part of a condition has an id. The root is `c`, its parts are `c.0`, `c.1` and so on.
extension ConditionNode {
    private static let maxDepth = 64
    private static let maxParts = 1000

    /// Reads a submitted form.
    ///
    /// - Parameter fields: all values of the form's fields, by the fields' names.
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

    /// Adds a part at the end of the group that has this id.
    mutating func add(_ node: ConditionNode, to id: String) {
        change(id) { if case .group(let kind, let parts) = $0 { $0 = .group(kind, parts + [node]) } }
    }

    /// Removes the part that has this id, and then the groups that have become empty.
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

    /// Adds the countries of a preset to the row that has this id, or removes all of its countries.
    mutating func chooseCountries(_ preset: String, of id: String) {
        change(id) { node in
            guard case .test(var test) = node else { return }
            test.chooseCountries(preset)
            node = .test(test)
        }
    }

    /// Returns the number of parts of the group that has this id.
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

/// How the parts of a group are joined: which of them must hold.
enum ConditionGroupKind: String, CaseIterable {
    case all, any, none
    /// At least one part does not hold.
    case notAll = "not-all"
    /// The group negates its single part. If the user adds parts, the group means that none of them holds.
    case not
    /// The group is only a frame around its single part. If the user adds parts, the group means that all of them hold.
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

    /// The kinds to choose from, including this one.
    var choices: [ConditionGroupKind] {
        switch self {
        case .bare: [.bare, .any, .none]
        case .not: [.all, .any, .not]
        case .notAll: [.all, .any, .none, .notAll]
        case .all, .any, .none: [.all, .any, .none]
        }
    }
}
