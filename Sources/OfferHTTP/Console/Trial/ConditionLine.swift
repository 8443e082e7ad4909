import EligibilityRules
import OfferService

/// A condition that was checked on a customer, with what was found.
struct ConditionLine: TemplateView {
    private static let maxIndent = 4

    let tone: String
    /// The condition in words.
    let text: String
    /// The customer's value; nil for a group of conditions.
    let found: String?
    /// The class of the depth.
    let indent: String

    /// Creates the line of a condition, without its parts.
    private init(_ trace: ConditionTrace, depth: Int, in catalogue: Catalogue) {
        var value: String?
        switch trace.kind {
        case .test(let test):
            text = Condition.test(test).words(in: catalogue).firstUppercased
            value = ConditionText.words(trace.value.map(test.subject.named), of: test.subject)
        case .all: text = "All of these:"
        case .any: text = "At least one of these:"
        case .not: text = "Not this:"
        case .segment(let id): text = "In segment \(id):"
        }
        found = value
        tone =
            switch trace.truth {
            case .yes: "good"
            case .no: "bad"
            case .unknown: "warn"
            }
        indent = "in-\(min(depth, Self.maxIndent))"
    }

    /// Returns the lines of a condition and its parts.
    static func all(_ trace: ConditionTrace, depth: Int = 0, in catalogue: Catalogue) -> [ConditionLine] {
        [ConditionLine(trace, depth: depth, in: catalogue)]
            + trace.parts.flatMap { all($0, depth: depth + 1, in: catalogue) }
    }
}
