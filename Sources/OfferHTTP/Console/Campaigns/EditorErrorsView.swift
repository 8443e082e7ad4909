/// The faults of the editor's form.
struct EditorErrorsView: TemplateView {
    let title: String
    /// The number of faults, in words.
    let count: String
    /// The id of the first input with a fault.
    let first: String
    let all: [ErrorView]

    /// Returns nil if there are no faults.
    init?(_ errors: FormErrors, isNew: Bool) {
        guard let first = errors.all.first else { return nil }
        all = errors.views
        self.first = first.id
        let things = ConsoleTime.count(all.count, "thing")
        title = isNew ? "\(things) to fix before this can be saved" : "\(things) to fix before you can send this to review"
        count = "\(things) to fix"
    }
}
