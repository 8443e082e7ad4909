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

    /// - Parameter others: the other campaigns of the app, whose exclusion groups are suggested.
    init(_ state: EditorState, others: [ManagedCampaign]) {
        let (form, locks, errors) = (state.form, state.locks, state.errors)
        let priorities = others.compactMap { $0.text?.campaign?.slot.priority }
        perCustomer = FieldView(
            .perCustomer, form, hint: "Empty: no limit.",
            entry: .number(.numeric, unit: "offers"), errors)
        per = PeriodView(.per, form, errors)
        total = FieldView(
            .total, form, hint: "Then no customer gets it any more. Empty: no limit.",
            entry: .number(.numeric, unit: "offers"), errors)
        enrolment = FieldView(
            .enrolment, form, hint: "You can raise this later, but not lower it.",
            entry: .number(.decimal, unit: "% of them"), errors)
        holdout = FieldView(
            .holdout, form,
            hint: "They never get this campaign, and show its long-term effect.", entry: .number(.decimal, unit: "%"),
            lock: locks["holdout"], errors)
        exclusionGroup = FieldView(
            .exclusionGroup, form,
            hint: "The name of a group. No customer gets two campaigns of one group.",
            entry: .text(suggestions: Set(others.compactMap { $0.text?.campaign?.slot.exclusionGroup }).sorted()),
            lock: locks["exclusionGroup"], errors)
        priority = FieldView(
            .priority, form,
            hint: "The highest decides first."
                + (priorities.isEmpty ? "" : " Others have \(priorities.min()!) to \(priorities.max()!)."),
            entry: .number(.numeric), errors)
    }
}
