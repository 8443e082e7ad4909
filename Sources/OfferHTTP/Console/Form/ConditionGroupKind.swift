/// How the parts of a group are joined.
enum ConditionGroupKind: String, CaseIterable {
    case all, any, none
    /// Not all of them.
    case notAll = "not-all"
    /// The one part is denied; of several none.
    case not
    /// The one part stands for itself; of several all.
    case bare

    /// As people say it.
    var label: String {
        switch self {
        case .all, .bare: "all"
        case .any: "at least one"
        case .none, .not: "none"
        case .notAll: "not all"
        }
    }

    /// Those that can be chosen where one is this.
    var choices: [ConditionGroupKind] {
        switch self {
        case .bare: [.bare, .any, .none]
        case .not: [.all, .any, .not]
        case .notAll: [.all, .any, .none, .notAll]
        case .all, .any, .none: [.all, .any, .none]
        }
    }
}
