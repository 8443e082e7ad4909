/// What became of the reader's last action.
struct NoticeView: TemplateView {
    /// `good`, `warn` or `bad`.
    let tone: String
    let text: String
}
