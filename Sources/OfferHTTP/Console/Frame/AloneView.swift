/// The frame around a page for a user who is not signed in.
struct AloneView: PageView {
    static let template = "alone"

    let title: String
    /// The HTML of the page.
    let content: String
}
