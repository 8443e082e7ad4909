import EligibilityRules
import OfferService
import WireText

/// The editor's inputs for the name, the goal and its analysis.
struct EditorGoalView: TemplateView {
    private static let metrics = [
        (id: "subscribed", label: "Subscribed"), (id: "retained", label: "Subscribed at the end"),
        (id: "converted-to-paid", label: "Paid, also after a trial"), (id: "redeemed", label: "Redeemed the offer"),
        (id: "revenue", label: "Revenue per customer"),
    ]
    private static let methods = [
        (id: "sequential", label: "Any day, as often as you like"),
        (id: "fixed", label: "Once, after a number of customers set now"),
    ]

    let name: FieldView
    let id: FieldView
    let hypothesis: FieldView
    let tags: FieldView
    let metric: FieldView
    let window: PeriodView
    let expected: FieldView
    let detect: FieldView
    let customersPerDay: FieldView
    /// The inputs that are only for revenue.
    let money: [FieldView]
    let method: FieldView
    let sampleSize: FieldView

    init(_ state: EditorState, _ visit: CampaignVisit) {
        let (form, errors) = (state.form, state.errors)
        let isNew = state.campaign == nil
        let lock = state.locks["goal"]
        name = FieldView(.name, form, errors)
        id = FieldView(
            .id, form,
            hint: isNew ? "Small letters, digits, hyphens. Empty: made of the name. It never changes." : "",
            lock: isNew ? "" : "It never changes: it decides which variant a customer gets.", errors)
        hypothesis = FieldView(
            .hypothesis, form,
            hint: "Stands beside the rule at the review, and beside the results. May be empty.", errors)
        tags = FieldView(
            .tags, form,
            hint: "Words to find it by, with spaces between them: spring win-back. May be empty.", errors)
        metric = FieldView(.metric, form, entry: .choice(Self.metrics), lock: lock, errors)
        window = PeriodView(.window, form, isLocked: !lock.isEmpty, errors)
        expected = FieldView(
            .expected, form,
            hint: "How many of 100 do it anyway? May be empty. Not for revenue.", entry: .number(.decimal, unit: "%"), lock: lock,
            errors)
        detect = FieldView(
            .detect, form,
            hint: "For the days that are still needed. May be empty.",
            entry: .number(.decimal, unit: form[.metric] == "revenue" ? form[.currency] : "points"), lock: lock, errors)
        customersPerDay = FieldView(
            .customersPerDay, form,
            hint: "How many ask for offers, for the forecast until we have measured it. May be empty.",
            entry: .number(.numeric), lock: lock, errors)
        money = Self.money(form, lock, errors)
        let campaign = Self.undecided(form, visit)
        method = Self.method(campaign, state)
        sampleSize = Self.sampleSize(campaign, state)
    }

    private static func money(_ form: CampaignForm, _ lock: String, _ errors: FormErrors) -> [FieldView] {
        let currency = form[.currency]
        return [
            FieldView(
                .currency, form, hint: "Only for revenue: three letters such as USD.", lock: lock, errors),
            FieldView(
                .standardDeviation, form,
                hint: "Only for revenue: the standard deviation. If 10 of 100 pay 9.99, it is about 3. May be empty.",
                entry: .number(.decimal, unit: currency), lock: lock, errors),
            FieldView(
                .cap, form,
                hint: "Only for revenue: so that a few who pay very much do not decide. May be empty.",
                entry: .number(.decimal, unit: currency), lock: lock, errors),
        ]
    }

    /// Returns the form's campaign without the method of its analysis.
    ///
    /// A campaign with the method `fixed` but without a sample size cannot be read. If the method is left
    /// out, it can be read, so that the page can propose a sample size.
    private static func undecided(_ form: CampaignForm, _ visit: CampaignVisit) -> Campaign? {
        var form = form
        form[.method] = ""
        return CampaignText(json: form.json(bundleID: visit.app.bundleID, in: visit.zone)).campaign
    }

    private static func method(_ campaign: Campaign?, _ state: EditorState) -> FieldView {
        let anyDay = campaign?.sequentialSampleSize.map { " It probably takes about \(ConsoleTime.number($0))." } ?? ""
        var form = state.form
        if form[.method].isEmpty { form[.method] = FormField.method.initial }
        return FieldView(
            .method, form,
            hint: "Any day is right for nearly all campaigns.\(anyDay) Once needs fewer customers, and shows no verdict before.",
            entry: .choice(methods), lock: state.locks["analysis"], state.errors)
    }

    private static func sampleSize(_ campaign: Campaign?, _ state: EditorState) -> FieldView {
        let proposal = campaign?.proposedSampleSize.map {
            "All variants together. \(ConsoleTime.number($0)) find the difference worth knowing four times out of five."
        }
        return FieldView(
            .sampleSize, state.form,
            hint: proposal
                ?? "All variants together; only for “once”. Fill in the two fields above and save, and a number is proposed here.",
            entry: .number(.numeric), lock: state.locks["analysis"], state.errors)
    }
}

/// The inputs for the number and the unit of a period.
struct PeriodView: TemplateView {
    let number: String
    let unit: String
    let units: [FieldView.Choice]
    let isLocked: Bool
    let error: String?

    init(_ fields: PeriodFields, id: String, isLocked: Bool = false, _ errors: FormErrors) {
        number = fields.number
        unit = fields.unit
        units = ChoiceList(PeriodFields.units.map { ($0.0, $0.1) }, chosen: fields.unit).all
        self.isLocked = isLocked
        error = errors[id].nonEmpty
    }
}
