/// A tab above a list or a page.
struct TabView: TemplateView {
    let href: String
    let label: String
    var count = ""
    let isCurrent: Bool
}
