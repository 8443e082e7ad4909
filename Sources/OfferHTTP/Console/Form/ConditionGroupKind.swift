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
