/// A notice with a heading.
struct HeadedNotice: TemplateView {
    /// `info` or `warn`.
    let tone: String
    let heading: String
    let text: String
}
