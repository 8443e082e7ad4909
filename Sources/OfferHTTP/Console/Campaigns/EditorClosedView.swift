import OfferService

/// The notice that says why the editor's form cannot be edited.
struct EditorClosedView: TemplateView {
    let title: String
    let text: String
    /// Whether the reader can take the draft back from review.
    let takeBack: Bool
    /// The address at which a new campaign starts as a copy of this one; nil if no copy is proposed.
    let copy: String?

    private init(_ title: String, _ text: String, takeBack: Bool = false, copy: String? = nil) {
        self.title = title
        self.text = text
        self.takeBack = takeBack
        self.copy = copy
    }

    /// Returns nil if the form can be edited.
    ///
    /// - Parameter writers: the people who may write campaigns, in words.
    init?(_ state: EditorState, _ visit: CampaignVisit, writers: String = "") {
        guard visit.may(.campaignDrafts) else {
            self.init("You can look at this rule, not change it", "These can: \(writers).")
            return
        }
        // A user who is resolving a conflict can go on writing, even if the other user's version is now in review.
        guard let campaign = state.campaign, state.conflict == nil, !state.isMerged else { return nil }
        if campaign.position.isEnded {
            self.init(
                "The campaign has ended", "No customer gets it any more, and it cannot be changed. A new one can begin from it.",
                copy: "\(visit.path)/new?copy=\(PercentEncoding.encoded(campaign.name.id))")
            return
        }
        switch campaign.draft?.phase {
        case .inReview:
            self.init("The draft is in review", "To change something, take it back to draft first.", takeBack: true)
        case .approved:
            self.init(
                "The draft is approved", "A change takes the approval away. Take it back to draft first.", takeBack: true)
        case nil, .some(.none), .writing, .rejected: return nil
        }
    }
}
