/// The question before a step that cannot be taken back, and what it brings about.
struct CampaignConfirmView: PageView {
    static let template = "campaign-confirm"

    let listPath: String
    /// The page to return to without the step.
    let back: String
    /// The name of the campaign.
    let name: String
    let title: String
    let sub: String
    /// Why the step was not taken.
    let error: String?
    let action: String
    /// The version of the campaign that the reader has seen.
    let seen: String
    /// The consequences of the step.
    let marks: [MarkView]
    let hasChanges: Bool
    let changes: [ChangeView]
    /// The reason, as typed.
    let note: String
    let isDanger: Bool
    let button: String
    /// The label of the way back.
    let cancel: String
}
