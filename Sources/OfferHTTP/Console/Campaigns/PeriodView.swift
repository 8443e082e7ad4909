/// The inputs of a period.
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
