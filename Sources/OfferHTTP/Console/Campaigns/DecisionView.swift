import OfferService

/// The reader's next step with a draft, or the people who may take one instead.
struct DecisionView: TemplateView {
    /// The input for a note.
    struct Note: TemplateView {
        let label: String
        let hint: String
        let text: String
        let error: String?
    }

    /// A button of the form.
    struct Button: TemplateView {
        /// The step that it stands for.
        let op: String
        let label: String
        let isPrimary: Bool
    }

    /// A link beside the buttons.
    struct Link: TemplateView {
        let href: String
        let label: String
        let isPrimary: Bool
    }

    let action: String
    let seen: String
    let title: String
    let text: String
    let note: Note?
    let buttons: [Button]
    let link: Link?
    let hint: RichText?

    /// Creates the view of a decision. The first button is the primary one, unless the link is.
    init(
        on campaign: ManagedCampaign,
        action: String,
        title: String,
        text: String,
        buttons: [(op: String, label: String)] = [],
        link: Link? = nil,
        note: Note? = nil,
        hint: RichText? = nil
    ) {
        self.action = action
        seen = "\(campaign.version)"
        self.title = title
        self.text = text
        self.note = note
        self.buttons = buttons.enumerated().map { index, button in
            Button(op: button.op, label: button.label, isPrimary: index == 0 && link?.isPrimary != true)
        }
        self.link = link
        self.hint = hint
    }
}
