/// A word in a coloured shape, which shows the state of something.
struct BadgeView: TemplateView, Sendable {
    let word: String
    /// The CSS classes of the shape and the colour.
    let tone: String
}

/// A fault of a form, with a link to its input.
struct ErrorView: TemplateView {
    /// The id of the input.
    let id: String
    let text: String
}

struct LinkView: TemplateView, Sendable {
    let href: String
    let label: String
}

/// A heading and a sentence with a coloured mark, for a notice, a consequence of a step, or a reason to trust a number.
struct MarkView: TemplateView {
    /// `good`, `info`, `warn` or `bad`.
    let tone: String
    let heading: String
    let text: String
}

/// The notice about the result of the reader's last action.
struct NoticeView: TemplateView {
    /// The notice above a form that was sent in an earlier session and is shown again.
    static let kept = NoticeView(
        tone: "warn", text: "You have signed in again. What you wrote is kept, and not saved yet.")

    /// `good`, `warn` or `bad`.
    let tone: String
    let text: String
}

/// What a template shows: a page, or a part of a page that a script replaces.
protocol PageView: TemplateView {
    /// The name of the template, which is its file's name without the extension.
    static var template: String { get }
}

/// A tab above a list or a page.
struct TabView: TemplateView {
    let href: String
    let label: String
    var count = ""
    let isCurrent: Bool
}
