/// All faults in the form of a text that keep it from being read as a campaign.
///
/// A text without such faults may still be wrong in what it says; `CampaignValidation` finds that.
package struct CampaignFaults: Error, Equatable {
    /// Each has a path, such as `campaigns[0].variants[1].offers[0].offerId`, and a remedy; not empty.
    package let faults: [FieldFault]
}
