/// The campaigns and limits that decide about offers, besides eligibility.
package struct OfferRules: Sendable {
    /// Nil: there are no campaigns.
    let campaigns: LiveCampaigns?
    /// The exposures that need no second row.
    let exposures: ExposureMemory
    /// Nil: nothing is limited.
    let limits: (any OfferLimiting)?

    package init(
        campaigns: LiveCampaigns? = nil,
        exposures: ExposureMemory = ExposureMemory(),
        limits: (any OfferLimiting)? = nil
    ) {
        self.campaigns = campaigns
        self.exposures = exposures
        self.limits = limits
    }
}
