/// A link.
struct LinkView: TemplateView, Sendable {
    let href: String
    let label: String
}
