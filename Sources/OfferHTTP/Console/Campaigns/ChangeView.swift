/// A difference between two versions of a campaign.
struct ChangeView: TemplateView {
    let field: String
    /// What has changed, in words; nil if `old` and `new` show it.
    let words: String?
    let old: RichText?
    let new: RichText?

    init(_ field: String, words: String) {
        self.field = field
        self.words = words
        old = nil
        new = nil
    }

    init(_ field: String, from old: RichText, to new: RichText) {
        self.field = field
        words = nil
        self.old = old
        self.new = new
    }
}
