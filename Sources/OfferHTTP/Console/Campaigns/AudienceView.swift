import EligibilityRules

/// The conditions of an audience as lines of the form. Lines open and close groups, so the template needs no recursion.
struct AudienceView: TemplateView {
    /// Why the conditions cannot be changed.
    let lock: String?
    /// The segments that have changed since the draft was saved, in a sentence each.
    let notes: [String]
    let lines: [AudienceLine]
    /// Whether there is no condition.
    let isEverybody: Bool

    /// Creates the view of an audience.
    ///
    /// - Parameters:
    ///   - copies: the segments as the draft has them.
    ///   - segments: those that can be chosen.
    ///   - action: the address that the form is sent to.
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
