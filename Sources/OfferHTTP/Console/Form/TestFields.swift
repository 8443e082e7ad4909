import EligibilityRules
import OfferService
import WireText

/// One condition as a row of inputs.
struct TestFields: Equatable {
    /// The entry that stands for an attribute in the list of facts.
    static let attribute = "attribute"
    /// The entry that stands for a stored segment in the list of facts.
    static let segment = "segment"
    private static let denial = "!"

    /// The name of a fact, or `attribute`, or `segment`.
    var fact: String
    /// The name of the attribute, if the row tests one.
    var name = ""
    /// The id of the subscription group that the fact is about; empty if no group is named.
    var group = ""
    /// The operator's name, with a `!` before it if it is negated.
    ///
    /// For `exists` it is `known` or `unknown`.
    var comparison: String
    /// The type of an attribute's values: `text`, `number` or `boolean`.
    var type = "text"
    /// The value to compare with. If there are several, each stands in a line of its own.
    var value = ""
    /// The upper end, if the row compares with a range.
    var end = ""

    init(fact: String, comparison: String) {
        self.fact = fact
        self.comparison = comparison
    }

    /// Reads a draft's condition, which may be negated.
    ///
    /// Returns nil if a row cannot show it.
    init?(_ json: JSONValue) {
        if case .object(let members) = json, members.count == 1, members[0].isNamed("not") {
            guard let test = TestFields(members[0].value), test.isDeniable else { return nil }
            self = test
            comparison = Self.denial + comparison
            return
        }
        guard case .object(let members) = json, let operand = members.last else { return nil }
        if members.count == 1, members[0].isNamed(Self.segment), case .string(let id) = operand.value {
            self.init(fact: Self.segment, comparison: "is")
            value = id
            return
        }
        self.init(fact: Self.attribute, comparison: operand.name)
        if case .string(let fact)? = json.member("fact") {
            self.fact = fact
        } else {
            guard case .string(let name)? = json.member("attribute") else { return nil }
            self.name = name
        }
        if case .string(let group)? = json.member("group") { self.group = group }
        guard let kind = ConditionOperator(rawValue: operand.name) else { return nil }
        read(operand.value, kind)
        guard self.json == json else { return nil }
    }

    /// The condition's JSON, as a draft keeps it.
    var json: JSONValue {
        let isDenied = comparison.hasPrefix(Self.denial)
        let test: JSONValue =
            isSegment
            ? .members([Self.segment: .string(value)])
            : .members([
                "fact": isAttribute ? nil : .string(fact), "attribute": isAttribute ? .string(name) : nil,
                "group": group.isEmpty || isAttribute ? nil : .string(group), operatorName: operand,
            ])
        return isDenied ? .members(["not": test]) : test
    }

    /// Whether the row tests an attribute, which is what the app states about a customer.
    var isAttribute: Bool { fact == Self.attribute }

    /// Whether the row names a stored segment.
    ///
    /// Its value then is the segment's id.
    var isSegment: Bool { fact == Self.segment }

    /// The operator, whether it is negated or not; nil if the name is that of no operator.
    var comparator: ConditionOperator? { ConditionOperator(rawValue: operatorName) }

    private var isDeniable: Bool { !comparison.hasPrefix(Self.denial) && operatorName != "exists" }

    private var operatorName: String {
        switch comparison {
        case "known", "unknown": "exists"
        default: String(comparison.drop { $0 == "!" })
        }
    }

    /// The type of the values.
    var kind: ConditionFact.Kind {
        switch comparator {
        case .startsWith, .contains, .versionAtLeast, .before, .after: return .text
        case .above, .below, .between: return .number
        case .is, .oneOf, .exists, nil:
            if !isAttribute { return ConditionFact(rawValue: fact)?.kind ?? .text }
            return ConditionFact.Kind(rawValue: type) ?? .text
        }
    }

    private mutating func read(_ operand: JSONValue, _ comparator: ConditionOperator) {
        switch (comparator, operand) {
        case (.exists, .bool(let flag)): comparison = flag ? "known" : "unknown"
        case (.between, .array(let bounds)) where bounds.count == 2:
            (value, end) = (shown(bounds[0]), shown(bounds[1]))
        case (.oneOf, .array(let values)):
            value = values.map(shown).joined(separator: "\n")
            type = Self.type(of: values.first)
        default:
            value = shown(operand)
            type = Self.type(of: operand)
        }
    }

    /// By how many places the decimal point is further to the right in the draft than in the form.
    ///
    /// A price is 9.99 in the form and 9990 thousandths in the draft.
    private var places: Int { fact == ConditionFact.subscriptionPrice.rawValue ? 3 : 0 }

    private func shown(_ value: JSONValue) -> String {
        let text = FormValue.shown(value, by: places)
        // A price such as 9.9 is shown as 9.90.
        return places > 0 && text.wholeMatch(of: /[0-9]+\.[0-9]/) != nil ? text + "0" : text
    }

    private static func type(of value: JSONValue?) -> String {
        switch value {
        case .number: "number"
        case .bool: "boolean"
        default: "text"
        }
    }

    private var operand: JSONValue {
        switch comparison {
        case "known": return .bool(true)
        case "unknown": return .bool(false)
        default: break
        }
        return switch comparator {
        case .between: .array([scalar(value), scalar(end)])
        case .oneOf: .array(lines.map(scalar))
        default: scalar(value)
        }
    }

    /// The values. Each stands in a line of its own.
    ///
    /// Short codes, such as those of countries, may also stand in one line, with commas between them.
    private var lines: [String] {
        value.split(separator: "\n").flatMap { line -> [String] in
            guard line.wholeMatch(of: /\s*[A-Za-z]{2,3}(\s*,\s*[A-Za-z]{2,3})+\s*,?\s*/) != nil else { return [String(line)] }
            return line.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        }
    }

    private func scalar(_ text: String) -> JSONValue {
        switch kind {
        case .number: FormValue.number(text, by: places) ?? .string("")
        case .boolean: text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
        case .text, .texts: .string(text)
        }
    }
}
