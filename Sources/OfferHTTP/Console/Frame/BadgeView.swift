/// A word in a shape and a colour.
struct BadgeView: TemplateView, Sendable {
    let word: String
    /// The classes of its shape and colour.
    let tone: String
}
