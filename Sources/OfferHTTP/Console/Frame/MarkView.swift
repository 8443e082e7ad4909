/// A heading with a sentence and a state: a notice, a consequence of a step, a reason to trust a number.
struct MarkView: TemplateView {
    /// `good`, `info`, `warn` or `bad`.
    let tone: String
    let heading: String
    let text: String
}
