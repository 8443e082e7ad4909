import OfferService

/// What a draft changes, compared with a published revision.
struct ReviewDiffView: TemplateView {
    /// The choice of the revision to compare with.
    struct Bases: TemplateView {
        let action: String
        let all: [FieldView.Choice]
    }

    private static let maxRevisions = 50

    let title: String
    let bases: Bases?
    let hasChanges: Bool
    let changes: [ChangeView]
    /// The sentence that says why no changes are shown.
    let noChanges: String

    /// - Parameters:
    ///   - number: the number of the revision to compare with; 0 if there is none.
    ///   - old: the text of that revision; nil if there is none.
    init(_ campaign: ManagedCampaign, from number: Int, _ old: CampaignText?, _ visit: CampaignVisit) {
        guard let draft = campaign.draft else {
            title = "What changes"
            bases = nil
            hasChanges = false
            changes = []
            noChanges = "There is no draft: nothing waits to be published. Change the rule to make one."
            return
        }
        // There is no revision with which a first draft could be compared. The page shows the draft in words further up.
        let rows = old == nil ? [] : ChangeWords(visit: visit).rows(from: old, to: draft.text)
        title = number > 0 ? "What changes, from revision \(number) to the draft" : "What is new"
        bases = Self.bases(campaign, number, visit)
        hasChanges = !rows.isEmpty
        changes = rows
        noChanges =
            number > 0
            ? "The draft says the same as revision \(number)."
            : "Nothing was published before: all of the rule above is new."
    }

    private static func bases(_ campaign: ManagedCampaign, _ chosen: Int, _ visit: CampaignVisit) -> Bases? {
        guard let latest = campaign.published?.number else { return nil }
        let choices = stride(from: latest, through: max(1, latest - maxRevisions), by: -1).map { each in
            FieldView.Choice(
                id: "\(each)", label: "revision \(each)\(each == latest ? ", published" : "")", isChosen: each == chosen)
        }
        return Bases(action: visit.path(campaign.name.id, "review"), all: choices)
    }
}
