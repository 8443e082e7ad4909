import EligibilityRules

/// Puts the differences between two conditions into words. The order of the parts of a group makes no difference.
enum ConditionChanges {
    /// One line for each change. A condition that is nil stands for all customers.
    static func lines(_ old: Condition?, _ new: Condition?) -> [String] {
        switch (old.map(unwrapped), new.map(unwrapped)) {
        case (nil, nil): []
        case (let old?, let new?): lines(old, new)
        case (let old, let new):
            [
                "\(old.map { ConditionText.words($0) } ?? "all customers") → \(new.map { ConditionText.words($0) } ?? "all customers")"
            ]
        }
    }

    private static func lines(_ old: Condition, _ new: Condition) -> [String] {
        if isSame(old, new) { return [] }
        switch (old, new) {
        case (.any(let before), .any(let after)): return lines(before, after, added: "also lets in", removed: "no longer lets in")
        case (.all, .any), (.any, .all): return [line(old, new)]
        case (.all, _), (_, .all): return lines(parts(old), parts(new), added: "also asks that", removed: "no longer asks that")
        default: return [line(old, new)]
        }
    }

    /// The parts of a condition. A condition that is not an `all` group counts as such a group with one part.
    private static func parts(_ condition: Condition) -> [Condition] {
        if case .all(let parts) = condition { parts } else { [condition] }
    }

    private static func lines(_ old: [Condition], _ new: [Condition], added: String, removed: String) -> [String] {
        var (before, after) = (old, new)
        for part in old {
            guard let index = after.firstIndex(where: { isSame(part, $0) }) else { continue }
            after.remove(at: index)
            before.remove(at: before.firstIndex(of: part)!)
        }
        var lines: [String] = []
        for part in before {
            if let index = after.firstIndex(where: { isAlike(part, $0) }) {
                lines.append(line(part, after.remove(at: index)))
            } else {
                lines.append("\(removed): \(ConditionText.words(part))")
            }
        }
        return lines + after.map { "\(added): \(ConditionText.words($0))" }
    }

    private static func line(_ old: Condition, _ new: Condition) -> String {
        let words = ConditionText.words(old)
        guard isAlike(old, new), case .test(let before) = bare(old), case .test(let after) = bare(new),
            before.comparison == after.comparison
        else { return "\(words) → \(ConditionText.words(new))" }
        if before.comparison == .oneOf, case .list(let left) = before.operand, case .list(let right) = after.operand {
            let (added, removed) = (right.filter { !left.contains($0) }, left.filter { !right.contains($0) })
            let changes = [(added, "also"), (removed, "no longer")].filter { !$0.0.isEmpty }
            return
                "\(words) → \(changes.map { "\($1) \(ConditionText.words(.list($0), of: after.subject))" }.joined(separator: ", "))"
        }
        if before.comparison == .exists { return "\(words) → \(ConditionText.words(new))" }
        if before.comparison == .between, case .list(let bounds) = after.operand, bounds.count == 2 {
            return
                "\(words) → \(ConditionText.words(bounds[0], of: after.subject)) and \(ConditionText.words(bounds[1], of: after.subject))"
        }
        return "\(words) → \(ConditionText.words(after.operand, of: after.subject))"
    }

    /// Whether the new condition may be an edit of the old one.
    private static func isAlike(_ old: Condition, _ new: Condition) -> Bool {
        switch (old, new) {
        case (.test(let old), .test(let new)): old.subject == new.subject
        case (.not(let old), .not(let new)): isAlike(old, new)
        case (.all, .all), (.any, .any): true
        default: false
        }
    }

    /// The condition that is left when all negations around it are removed.
    private static func bare(_ condition: Condition) -> Condition {
        if case .not(let part) = condition { bare(part) } else { condition }
    }

    /// The condition without any group around it that has only one part.
    private static func unwrapped(_ condition: Condition) -> Condition {
        switch condition {
        case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1: unwrapped(parts[0])
        default: condition
        }
    }

    private static func isSame(_ old: Condition, _ new: Condition) -> Bool {
        switch (unwrapped(old), unwrapped(new)) {
        case (.all(let old), .all(let new)), (.any(let old), .any(let new)): isSame(old, new, by: isSame)
        case (.not(let old), .not(let new)): isSame(old, new)
        case (.test(let old), .test(let new)): isSame(old, new)
        case (let old, let new): old == new
        }
    }

    private static func isSame(_ old: ConditionTest, _ new: ConditionTest) -> Bool {
        guard old.subject == new.subject, old.comparison == .oneOf, new.comparison == .oneOf, case .list(let left) = old.operand,
            case .list(let right) = new.operand
        else { return old == new }
        return Set(left) == Set(right)
    }

    private static func isSame(_ old: [Condition], _ new: [Condition], by isSame: (Condition, Condition) -> Bool) -> Bool {
        var rest = new
        for part in old {
            guard let index = rest.firstIndex(where: { isSame(part, $0) }) else { return false }
            rest.remove(at: index)
        }
        return rest.isEmpty
    }
}
