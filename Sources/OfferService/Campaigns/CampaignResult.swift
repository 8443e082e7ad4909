package import OfferStore

/// What came of a change of a campaign.
package enum CampaignResult: Equatable, Sendable {
    /// It is done, and so the campaign is now.
    case done(CampaignRecord)
    /// Somebody else has changed the campaign since the caller saw it. Nothing was done and nothing is lost: the campaign as they left
    /// it, and the document that the caller wanted to keep, if any.
    case changedMeanwhile(now: CampaignRecord, yours: [UInt8]?)
}
