import OfferService

/// Another user's change, which came first, beside the reader's own.
struct EditorConflictView: TemplateView {
    /// The name of the other user, and what they did.
    let who: String
    let did: String
    let hasTheirs: Bool
    let theirs: [ChangeView]
    let hasYours: Bool
    let yours: [ChangeView]

    init(_ conflict: EditorState.Conflict, _ visit: CampaignVisit) {
        let words = ChangeWords(visit: visit)
        let last = conflict.now.lastChange
        who = visit.name(last.act.by)
        did = last.words
        theirs = words.rows(from: conflict.base, to: conflict.now.text)
        hasTheirs = !theirs.isEmpty
        yours = words.rows(from: conflict.base, to: conflict.mine)
        hasYours = !yours.isEmpty
    }
}
