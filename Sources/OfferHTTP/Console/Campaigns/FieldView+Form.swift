extension FieldView {
    /// Creates the view of a campaign's field, with what is typed into it.
    ///
    /// - Parameters:
    ///   - lock: why the field cannot be changed; empty if it can.
    ///   - errors: the faults of the form.
    init(
        _ field: FormField,
        _ form: CampaignForm,
        hint: String = "",
        entry: Entry = .text(),
        lock: String = "",
        _ errors: FormErrors
    ) {
        self.init(id: field.id, label: field.label, value: form[field], hint: hint, entry: entry, lock: lock, errors)
    }
}

extension PeriodView {
    /// Creates the view of a campaign's field that is a period.
    init(_ field: FormField, _ form: CampaignForm, isLocked: Bool = false, _ errors: FormErrors) {
        self.init(form.period(field), id: field.id, isLocked: isLocked, errors)
    }
}
