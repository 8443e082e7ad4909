import OfferService
import WireText

/// A part of an audience as the editor shows it.
///
/// Editing never loses a part of a draft. A condition for which there is no row of inputs is shown, and kept, as JSON.
indirect enum ConditionNode: Equatable {
    case group(ConditionGroupKind, [ConditionNode])
    case test(TestFields)
    /// A condition as text. It is JSON for which there is no row of inputs, or text that is not valid JSON.
    case raw(String)

    /// Reads a draft's condition.
    init(_ json: JSONValue) {
        let node = Self.candidate(json)
        self = node.json == json ? node : .raw(Self.text(json))
    }

    /// Returns the root of an audience, which is always a group.
    static func root(_ audience: JSONValue?) -> ConditionNode {
        guard let audience else { return .group(.all, []) }
        let node = ConditionNode(audience)
        // An empty root means that there is no audience. If the audience is itself a group without parts, it is therefore put
        // into another group.
        if case .group(_, let parts) = node, !parts.isEmpty { return node }
        return .group(.bare, [node])
    }

    /// The condition's JSON, as a draft keeps it.
    var json: JSONValue {
        switch self {
        case .raw(let text): (try? JSONValue(parsing: Array(text.utf8))) ?? .string(text)
        case .test(let test): test.json
        case .group(let kind, let parts):
            switch kind {
            case .all: Self.joined("all", parts)
            case .any: Self.joined("any", parts)
            case .none: Self.denied(Self.joined("any", parts))
            case .notAll: Self.denied(Self.joined("all", parts))
            case .not: parts.count == 1 ? Self.denied(parts[0].json) : Self.denied(Self.joined("any", parts))
            case .bare: parts.count == 1 ? parts[0].json : Self.joined("all", parts)
            }
        }
    }

    /// The audience's JSON, if this is the root; nil for all customers.
    var audience: JSONValue? {
        if case .group(_, let parts) = self, parts.isEmpty { return nil }
        return json
    }

    private static func candidate(_ json: JSONValue) -> ConditionNode {
        guard case .object(let members) = json, members.count == 1, let member = members.first else {
            return TestFields(json).map(ConditionNode.test) ?? .raw(text(json))
        }
        switch (member.name, member.value) {
        case ("all", .array(let parts)): return .group(.all, parts.map(ConditionNode.init))
        case ("any", .array(let parts)): return .group(.any, parts.map(ConditionNode.init))
        case (TestFields.segment, _): return TestFields(json).map(ConditionNode.test) ?? .raw(text(json))
        case ("not", let part):
            if let test = TestFields(json) { return .test(test) }
            switch ConditionNode(part) {
            case .group(.any, let parts): return .group(.none, parts)
            case .group(.all, let parts): return .group(.notAll, parts)
            case let node: return .group(.not, [node])
            }
        default: return .raw(text(json))
        }
    }

    private static func text(_ json: JSONValue) -> String {
        // A string that is not itself JSON is what a user has typed, and is shown as typed.
        if case .string(let text) = json, (try? JSONValue(parsing: Array(text.utf8))) == nil { return text }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func joined(_ name: String, _ parts: [ConditionNode]) -> JSONValue {
        .object([JSONValue.Member(name: name, value: .array(parts.map(\.json)))])
    }

    private static func denied(_ part: JSONValue) -> JSONValue { .object([JSONValue.Member(name: "not", value: part)]) }
}
