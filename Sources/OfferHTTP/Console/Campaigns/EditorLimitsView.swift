import EligibilityRules
import OfferService

/// The editor's inputs for limits and protection.
struct EditorLimitsView: TemplateView {
    let perCustomer: FieldView
    let per: PeriodView
    let total: FieldView
    let enrolment: FieldView
    let holdout: FieldView
    let exclusionGroup: FieldView
    let priority: FieldView

    /// Creates the view.
    ///
    /// - Parameter others: the other campaigns of the app, whose groups are suggested.
    init(_ state: EditorState, others: [ManagedCampaign]) {
        let (form, locks, errors) = (state.form, state.locks, state.errors)
        let priorities = others.compactMap { $0.text?.campaign?.slot.priority }
        perCustomer = FieldView(
            id: "perCustomer", label: "Per customer", value: form.perCustomer, hint: "Empty: no limit.",
            entry: .number(.numeric, unit: "offers"), errors)
        per = PeriodView(form.per, id: "per", errors)
        total = FieldView(
            id: "total", label: "In total", value: form.total, hint: "Then no customer gets it any more. Empty: no limit.",
            entry: .number(.numeric, unit: "offers"), errors)
        enrolment = FieldView(
            id: "enrolment", label: "Let in", value: form.enrolment, hint: "You can raise this later, but not lower it.",
            entry: .number(.decimal, unit: "% of them"), errors)
        holdout = FieldView(
            id: "holdout", label: "Hold out", value: form.holdout,
            hint: "They never get this campaign, and show its long-term effect.", entry: .number(.decimal, unit: "%"),
            lock: locks["holdout"], errors)
        exclusionGroup = FieldView(
            id: "exclusionGroup", label: "Never together with", value: form.exclusionGroup,
            hint: "The name of a group. No customer gets two campaigns of one group.",
            entry: .text(suggestions: Set(others.compactMap { $0.text?.campaign?.slot.exclusionGroup }).sorted()),
            lock: locks["exclusionGroup"], errors)
        priority = FieldView(
            id: "priority", label: "Priority", value: form.priority,
            hint: "The highest decides first."
                + (priorities.isEmpty ? "" : " Others have \(priorities.min()!) to \(priorities.max()!)."),
            entry: .number(.numeric), errors)
    }
}
