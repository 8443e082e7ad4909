import OfferService

/// What the reader can do next with a draft or, if the reader may do nothing, which people can.
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
        /// The step that the button takes.
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

    /// The first button is shown as the primary one, unless the link is the primary one.
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
