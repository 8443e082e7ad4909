import EligibilityRules
import OfferService

/// The editor's inputs for when and where customers get the campaign.
struct EditorTimesView: TemplateView {
    private static let units = [
        (id: "customer", label: "A customer of yours, by your own id"), (id: "appTransaction", label: "An Apple account"),
        (id: "originalTransaction", label: "A first purchase"),
    ]

    let moments: [MomentView]
    let placement: FieldView
    let unit: FieldView

    /// Creates the view.
    ///
    /// - Parameter others: the other campaigns of the app, whose placements are suggested.
    init(_ state: EditorState, _ visit: CampaignVisit, others: [ManagedCampaign]) {
        let (form, locks, errors) = (state.form, state.locks, state.errors)
        moments = [
            MomentView(
                id: "from", label: "Starts", fields: form.from, lock: locks["schedule.from"],
                empty: "Empty: when it is published.", errors: errors, visit: visit),
            MomentView(
                id: "until", label: "Ends", fields: form.until, lock: "", empty: "Empty: when it is ended.", errors: errors,
                visit: visit),
        ]
        placement = FieldView(
            id: "placement", label: "Where in the app", value: form.placement,
            hint: "As your app names the place. Empty: anywhere in the app. “retention” is Apple's question to those who cancel.",
            entry: .text(suggestions: Set(others.compactMap { $0.text?.campaign?.slot.placement } + ["retention"]).sorted()),
            lock: locks["placement"], errors)
        unit = FieldView(
            id: "unit", label: "What counts as one customer", value: form.unit, hint: "Each always gets the same variant.",
            entry: .choice(Self.units), lock: locks["unit"], errors)
    }
}
