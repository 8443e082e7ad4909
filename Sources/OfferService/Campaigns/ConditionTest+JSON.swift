package import EligibilityRules
package import WireText

extension ConditionTest {
    /// Nil after a fault, which `reading` records.
    ///
    /// - Parameter kind: `fact` or `attribute`.
    init?(_ json: JSONValue, _ kind: String, at path: String, _ reading: DocumentReading) {
        let operators = ConditionOperator.allCases.map(\.rawValue)
        let known = (kind == "fact" ? ["fact", "group"] : ["attribute"]) + operators
        guard let fields = DocumentFields(json, at: path, known: known, reading) else { return nil }
        let name = fields.text(kind)
        let subject: Subject = kind == "fact" ? .fact(name, group: fields.optionalText("group")) : .attribute(name)
        let said = ConditionOperator.allCases.filter { json.member($0.rawValue) != nil }
        guard let comparison = said.first, said.count == 1 else {
            reading.refuse(
                path,
                said.isEmpty
                    ? "does not say how to compare: give it one of the keys \(operators.joined(separator: ", "))"
                    : "compares with \(said.map(\.rawValue).joined(separator: " and ")) at once: make a condition of each, and put them into a list of all"
            )
            return nil
        }
        let isText = ConditionTest.takesText(name, isFact: kind == "fact", comparison)
        let operand = fields.value(comparison.rawValue).flatMap {
            ConditionValue($0, at: fields.path(comparison.rawValue), isText: isText, reading)
        }
        guard let operand else { return nil }
        self.init(subject, comparison, operand)
    }

    /// Whether the value can only be a text, so that a number without quotes is read as one.
    private static func takesText(_ name: String, isFact: Bool, _ comparison: ConditionOperator) -> Bool {
        switch comparison {
        case .startsWith, .contains, .versionAtLeast, .before, .after: true
        case .is, .oneOf: isFact && ConditionFact(rawValue: name)?.kind == .text
        case .above, .below, .between, .exists: false
        }
    }

    /// The test in the form in which marketing writes it.
    var json: JSONValue {
        var members: [JSONValue.Member] = []
        switch subject {
        case .attribute(let name): members.append(JSONValue.Member(name: "attribute", value: .string(name)))
        case .fact(let name, let group):
            members.append(JSONValue.Member(name: "fact", value: .string(name)))
            if let group { members.append(JSONValue.Member(name: "group", value: .string(group))) }
        }
        return .object(members + [JSONValue.Member(name: comparison.rawValue, value: operand.json)])
    }
}

extension ConditionValue {
    /// Nil after a fault, which `reading` records.
    init?(_ json: JSONValue, at path: String, isText: Bool, _ reading: DocumentReading) {
        switch json {
        case .array(let elements):
            let values = elements.enumerated().compactMap { index, element in
                ConditionValue(scalar: element, at: "\(path)[\(index)]", isText: isText, reading)
            }
            self = .list(values)
        default: self.init(scalar: json, at: path, isText: isText, reading)
        }
    }

    private init?(scalar json: JSONValue, at path: String, isText: Bool, _ reading: DocumentReading) {
        switch json {
        case .string(let text): self = .text(text)
        case .number(let spelling) where isText && reading.notation == .yaml: self = .text(spelling)
        case .number:
            guard let number = reading.number(json, at: path) else { return nil }
            self = .number(number)
        case .bool(let flag): self = .boolean(flag)
        case .null, .array, .object:
            reading.refuse(path, "must be a text, a number, or true or false, not \(DocumentReading.kind(json))")
            return nil
        }
    }

    /// The value in the form in which marketing writes it.
    ///
    /// JSON has no infinite numbers and no NaN. Such a number becomes `null`, which cannot be read back.
    package var json: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .number(let number): number.isFinite ? .number(number.spelling) : .null
        case .boolean(let flag): .bool(flag)
        case .list(let values): .array(values.map(\.json))
        }
    }
}
