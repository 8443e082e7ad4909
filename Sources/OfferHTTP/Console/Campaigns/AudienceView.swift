import EligibilityRules

/// The conditions of an audience as lines of the form.
///
/// There are lines that open a group and lines that close it. With them the template can show nested groups without recursion.
struct AudienceView: TemplateView {
    /// Why the conditions cannot be changed; nil if they can.
    let lock: String?
    /// A sentence for each segment that has changed since the draft was saved.
    let notes: [String]
    let lines: [AudienceLine]
    /// Whether there is no condition, so that the audience is all customers.
    let isEverybody: Bool

    /// - Parameters:
    ///   - copies: the draft's own copies of the segments that it uses.
    ///   - segments: the segments of the app that can be chosen, as they are now.
    ///   - action: the address to which the form is sent.
    ///   - lock: why the conditions cannot be changed; empty if they can.
    init(
        form: ConditionNode,
        copies: [Segment] = [],
        catalogue: Catalogue,
        segments: [Segment],
        errors: FormErrors,
        action: String,
        lock: String
    ) {
        self.lock = lock.nonEmpty
        let end = lock.isEmpty ? "Saving the draft takes it over." : "This campaign keeps the customers that it began with."
        notes = copies.compactMap { copy in
            let now = segments.first { ExactText($0.id) == ExactText(copy.id) }
            return now.flatMap { $0.condition == copy.condition ? nil : "The segment “\($0.name)” has changed since. \(end)" }
        }
        lines = AudienceLines(form: form, catalogue: catalogue, segments: segments, errors: errors, action: action).all
        isEverybody = form.audience == nil
    }
}
