import EligibilityRules

/// The conditions of an audience as lines of the form. Lines open and close groups, so the template needs no recursion.
struct AudienceView: TemplateView {
    /// Why the conditions cannot be changed.
    let lock: String?
    let lines: [AudienceLine]
    /// Whether there is no condition.
    let isEverybody: Bool

    /// Creates the view of an audience.
    ///
    /// - Parameters:
    ///   - segments: those that can be chosen.
    ///   - action: the address that the form is sent to.
    ///   - lock: why the conditions cannot be changed; empty if they can.
    init(form: ConditionNode, catalogue: Catalogue, segments: [Segment], errors: FormErrors, action: String, lock: String) {
        self.lock = lock.nonEmpty
        lines = AudienceLines(form: form, catalogue: catalogue, segments: segments, errors: errors, action: action).all
        isEverybody = form.audience == nil
    }
}
