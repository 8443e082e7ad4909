/// How a test compares, by its name in a campaign.
public enum ConditionOperator: String, Sendable, CaseIterable {
    /// The same text, number or Boolean.
    case `is`
    /// One of a list of texts or numbers.
    case oneOf
    /// A greater number, not an equal one.
    case above
    /// A smaller number, not an equal one.
    case below
    /// A number of a range, both ends included.
    case between
    /// A value exists (`true`) or does not (`false`). The only test that a missing value can pass.
    case exists
    /// A text that begins with the operand.
    case startsWith
    /// A text that contains the operand, or a list that has it as an element.
    case contains
    /// The same version, or a later one, by the order of semantic versions.
    case versionAtLeast
    /// An earlier time.
    case before
    /// A later time.
    case after

    /// Whether it applies to values of a kind.
    public func fits(_ kind: ConditionFact.Kind) -> Bool {
        switch self {
        case .exists: true
        case .is: kind != .texts
        case .oneOf: kind == .text || kind == .number
        case .above, .below, .between: kind == .number
        case .startsWith: kind == .text
        case .contains: kind == .text || kind == .texts
        // No fact is a version or a time. Facts count days instead.
        case .versionAtLeast, .before, .after: false
        }
    }
}
