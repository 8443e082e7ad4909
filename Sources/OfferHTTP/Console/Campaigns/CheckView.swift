/// A check before a campaign goes live.
struct CheckView: TemplateView {
    /// `good`, `warn` or `bad`.
    let tone: String
    /// What the check asks for: `To fix:`.
    let word: String?
    let text: String
}
