package import OfferStore

/// The outcome of a change of a campaign.
package enum CampaignEditOutcome: Equatable, Sendable {
    /// The change is done. The campaign as it is now.
    case done(CampaignRecord)
    /// Another caller has changed the campaign since this caller saw it, and nothing was done.
    ///
    /// Has the campaign as it is now, and the document that the caller wanted to keep, if any.
    case changedMeanwhile(now: CampaignRecord, yours: [UInt8]?)
}
