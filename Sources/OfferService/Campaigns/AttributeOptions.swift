package import EligibilityRules

/// The attributes that an app would send about a customer, as people write them.
package struct AttributeOptions {
    package let attributes: Attributes
    /// Notes for the person who asks.
    package let notes: [String]

    /// - Parameter options: `name=value`; a value is read as what campaigns and segments compare it with.
    package init(_ options: [String], for campaigns: [Campaign], _ segments: [Segment]) {
        let tests = (campaigns.compactMap(\.audience) + (segments + campaigns.flatMap(\.segments)).map(\.condition))
            .flatMap(Self.tests)
        var values: [String: ConditionValue] = [:]
        var notes: [String] = []
        for option in options {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, text) = (String(parts[0]), String(parts[1]))
            let asked = tests.filter { $0.subject == .attribute(name) }
            if asked.isEmpty { notes.append("no campaign asks for attribute \(name)") }
            // An existence test accepts a value of any type, and so does not determine one.
            values[name] = Self.value(text, asked.filter { $0.comparison != .exists }.flatMap { Self.scalars($0.operand) })
        }
        attributes = Attributes(values)
        self.notes = notes
    }

    private static func value(_ text: String, _ operands: [ConditionValue]) -> ConditionValue {
        for operand in operands {
            switch operand {
            case .number: if let number = Double(text), number.isFinite { return .number(number) }
            case .boolean: if let flag = Bool(text) { return .boolean(flag) }
            case .text, .list: break
            }
        }
        return .text(text)
    }

    private static func scalars(_ operand: ConditionValue) -> [ConditionValue] {
        if case .list(let values) = operand { values } else { [operand] }
    }

    private static func tests(_ condition: Condition) -> [ConditionTest] {
        switch condition {
        case .all(let parts), .any(let parts): parts.flatMap(tests)
        case .not(let part): tests(part)
        case .test(let test): [test]
        case .segment: []
        }
    }
}
