/// The page of a list that is shown, and the links to those beside it.
struct CampaignPagesView: TemplateView {
    /// `51 to 100 of 213`.
    let range: String
    let previous: String?
    let next: String?
}
