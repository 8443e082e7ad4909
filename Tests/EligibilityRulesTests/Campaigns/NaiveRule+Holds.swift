import EligibilityRules

extension NaiveRule {
    /// Nil where it is not known.
    func holds(_ condition: Condition) -> Bool? {
        switch condition {
        case .not(let part): return holds(part).map { !$0 }
        case .all(let parts):
            let results = parts.map(holds)
            if results.contains(where: { $0 == false }) { return false }
            return results.contains { $0 == nil } ? nil : true
        case .any(let parts):
            let results = parts.map(holds)
            if results.contains(where: { $0 == true }) { return true }
            return results.contains { $0 == nil } ? nil : false
        case .segment("north"): return holds(.any([.test(country("CA")), .test(country("US"))]))
        case .segment:
            return holds(.any([.test(ConditionTest(.subscriptionState, group: "main", .is, "expired")), .segment("north")]))
        case .test(let test): return holds(test)
        }
    }

    private func country(_ code: String) -> ConditionTest { ConditionTest(.attribute("country"), .is, .text(code)) }

    private func holds(_ test: ConditionTest) -> Bool? {
        let key =
            switch test.subject {
            case .attribute(let name): "@" + name
            case .fact(let name, let group): group.map { "\(name)/\($0)" } ?? name
            }
        guard test.comparison != .exists else { return test.operand == .boolean(values[key] != nil) }
        guard let value = values[key] else { return nil }
        let operands: [ConditionValue]
        if case .list(let list) = test.operand { operands = list } else { operands = [test.operand] }
        switch (test.comparison, value) {
        case (.is, _), (.oneOf, _):
            // A value of a type that the list has none of cannot be compared.
            let same = operands.map { equal($0, value) }
            return same.contains(true) ? true : same.contains(nil) ? nil : false
        case (.above, .number(let number)): return number > bound(operands[0])
        case (.below, .number(let number)): return number < bound(operands[0])
        case (.between, .number(let number)): return !(number < bound(operands[0])) && !(number > bound(operands[1]))
        case (.startsWith, .text(let bytes)): return Array(bytes.prefix(text(operands[0]).count)) == text(operands[0])
        case (.contains, .text(let bytes)):
            let part = text(operands[0])
            return (0...bytes.count).contains { start in Array(bytes[start...].prefix(part.count)) == part }
        case (.contains, .texts(let texts)): return texts.contains(text(operands[0]))
        case (.versionAtLeast, .text(let bytes)): return NaiveVersion.isAtLeast(bytes, text(operands[0]))
        case (.before, _), (.after, _):
            guard let time = time(value) else { return nil }
            let limit = limit(operands[0])
            return test.comparison == .before ? time < limit : time > limit
        default: return nil
        }
    }

    private func equal(_ operand: ConditionValue, _ value: Plain) -> Bool? {
        switch (operand, value) {
        case (.text(let left), .text(let right)): Array(left.utf8) == right
        case (.number(let left), .number(let right)): left == right
        case (.boolean(let left), .flag(let right)): left == right
        default: nil
        }
    }

    private func bound(_ operand: ConditionValue) -> Double { if case .number(let number) = operand { number } else { .nan } }

    private func text(_ operand: ConditionValue) -> [UInt8] { if case .text(let text) = operand { Array(text.utf8) } else { [] } }

    /// The few times that the random rules know, worked out elsewhere (`date -u -d … +%s`).
    private func limit(_ operand: ConditionValue) -> Int64 {
        let day: Int64 = 86_400_000
        switch operand {
        case .text("2026-06-20"): return 1_781_913_600_000
        case .text("2026-07-01T00:00:00Z"): return 1_782_864_000_000
        case .text("-P10D"): return now - 10 * day
        default: return now + 14 * day
        }
    }

    private func time(_ value: Plain) -> Int64? {
        switch value {
        case .number(let number): Int64(number)
        case .text(Array("2026-06-20".utf8)): 1_781_913_600_000
        case .text(Array("2026-07-01T00:00:00Z".utf8)): 1_782_864_000_000
        default: nil
        }
    }
}

/// The order of the few versions that the random rules know, the earliest first; those of a row are the same.
enum NaiveVersion {
    private static let order = [
        ["2"], ["2.0.0.1"], ["2.1.0-beta.2"], ["2.1.0-beta.3"], ["2.1.0-beta.10"], ["2.1", "2.1.0+7"], ["3"], ["10.0"],
    ]

    static func isAtLeast(_ version: [UInt8], _ other: [UInt8]) -> Bool? {
        guard let place = place(version), let otherPlace = self.place(other) else { return nil }
        return place >= otherPlace
    }

    private static func place(_ bytes: [UInt8]) -> Int? { order.firstIndex { $0.contains { Array($0.utf8) == bytes } } }
}
