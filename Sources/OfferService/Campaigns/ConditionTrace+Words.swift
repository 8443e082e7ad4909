package import EligibilityRules

extension ConditionTrace {
    /// One line: the question, and for a test the value that was found.
    package var words: String {
        switch kind {
        case .all: "all of these:"
        case .any: "at least one of these:"
        case .not: "it is known that this does not hold:"
        case .segment(let id): "in segment \(id):"
        case .test(let test): "\(ConditionText.words(test)) – found: \(ConditionText.words(value, of: test.subject))"
        }
    }
}

extension Truth {
    /// The value as a word.
    package var word: String {
        switch self {
        case .yes: "yes"
        case .no: "no"
        case .unknown: "unknown"
        }
    }
}
