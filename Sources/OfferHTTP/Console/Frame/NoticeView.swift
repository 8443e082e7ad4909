/// What became of the reader's last action.
struct NoticeView: TemplateView {
    /// The form of another session is shown again.
    static let kept = NoticeView(
        tone: "warn", text: "You have signed in again. What you wrote is kept, and not saved yet.")

    /// `good`, `warn` or `bad`.
    let tone: String
    let text: String
}
