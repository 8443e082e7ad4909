/// Why a text is not a campaign: all faults of its form at once.
///
/// A well-formed campaign may have faults as well; `CampaignValidation` finds those.
package struct CampaignFaults: Error, Equatable {
    /// Each with its path, such as `campaigns[0].variants[1].offers[0].offerId`, and the remedy; not empty.
    package let faults: [FieldFault]
}
