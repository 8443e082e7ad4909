/// A fault of a form, with a link to its input.
struct ErrorView: TemplateView {
    /// The id of the input.
    let id: String
    let text: String
}
