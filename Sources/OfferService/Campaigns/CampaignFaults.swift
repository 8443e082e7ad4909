/// Why a text is no campaign: everything that is wrong with its form, all of it at once.
///
/// What a well-formed campaign says may be wrong as well; `CampaignValidation` tells of that.
package struct CampaignFaults: Error, Equatable {
    /// Each with its path, such as `campaigns[0].variants[1].offers[0].offerId`, and the remedy; not empty.
    package let faults: [FieldFault]
}
