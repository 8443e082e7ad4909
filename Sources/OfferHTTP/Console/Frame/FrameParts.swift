/// A word in a shape and a colour.
struct BadgeView: TemplateView, Sendable {
    let word: String
    /// The classes of its shape and colour.
    let tone: String
}

/// A fault of a form, with a link to its input.
struct ErrorView: TemplateView {
    /// The id of the input.
    let id: String
    let text: String
}

/// A link.
struct LinkView: TemplateView, Sendable {
    let href: String
    let label: String
}

/// A heading with a sentence and a state: a notice, a consequence of a step, a reason to trust a number.
struct MarkView: TemplateView {
    /// `good`, `info`, `warn` or `bad`.
    let tone: String
    let heading: String
    let text: String
}

/// What became of the reader's last action.
struct NoticeView: TemplateView {
    /// The form of another session is shown again.
    static let kept = NoticeView(
        tone: "warn", text: "You have signed in again. What you wrote is kept, and not saved yet.")

    /// `good`, `warn` or `bad`.
    let tone: String
    let text: String
}

/// What a page shows, or a part of a page that a script replaces.
protocol PageView: TemplateView {
    /// The name of its template, which is that of a file.
    static var template: String { get }
}

/// A tab above a list or a page.
struct TabView: TemplateView {
    let href: String
    let label: String
    var count = ""
    let isCurrent: Bool
}
