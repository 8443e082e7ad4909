/// How a test compares, by its name in a campaign.
public enum ConditionOperator: String, Sendable, CaseIterable {
    /// The same text, number or Boolean.
    case `is`
    /// One of a list of texts or numbers.
    case oneOf
    /// A greater number; not the same one.
    case above
    /// A smaller number; not the same one.
    case below
    /// A number of a range, both ends included.
    case between
    /// There is a value (`true`), or there is none (`false`). The only test that a missing value can pass.
    case exists
    /// A text that begins so.
    case startsWith
    /// A text with that in it; a list with that text among its own.
    case contains
    /// The same version, or a later one, by the order of semantic versions.
    case versionAtLeast
    /// An earlier time.
    case before
    /// A later time.
    case after

    /// Whether it compares values of a kind.
    public func fits(_ kind: ConditionFact.Kind) -> Bool {
        switch self {
        case .exists: true
        case .is: kind != .texts
        case .oneOf: kind == .text || kind == .number
        case .above, .below, .between: kind == .number
        case .startsWith: kind == .text
        case .contains: kind == .text || kind == .texts
        // No fact is a version or a time: their days are counted.
        case .versionAtLeast, .before, .after: false
        }
    }
}
