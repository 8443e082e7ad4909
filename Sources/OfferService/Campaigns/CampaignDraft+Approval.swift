import EligibilityRules
import OfferStore

extension CampaignDraft {
    /// The draft with its approval.
    ///
    /// Throws if the approver and one of the authors may be the same person.
    ///
    /// - Parameter areTwoPersons: whether two names of `CampaignAct.by` stand for two persons.
    func approved(
        by act: CampaignAct,
        areTwoPersons: (String, String) -> Bool
    ) throws(CampaignError) -> CampaignDraft {
        if let author = authors.first(where: { !areTwoPersons($0, act.by) }) { throw .ownWork(author: author) }
        return ruled(true, act)
    }
}
