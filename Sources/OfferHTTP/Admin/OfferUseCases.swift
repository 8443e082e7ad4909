package import OfferService

/// The use cases about campaigns, customers and the catalogue.
package struct OfferUseCases: Sendable {
    let campaigns: CampaignAdministration
    let trial: CampaignTrial
    let reach: CampaignReach
    let results: CampaignResultsDesk
    let customers: CustomerDesk
    let binding: CustomerBinding
    let refunds: RefundDesk
    let catalogue: CatalogueStatement?

    /// - Parameter catalogue: the catalogues that App Store Connect stated; nil where they are not kept.
    package init(
        campaigns: CampaignAdministration,
        trial: CampaignTrial,
        reach: CampaignReach,
        results: CampaignResultsDesk,
        customers: CustomerDesk,
        binding: CustomerBinding,
        refunds: RefundDesk,
        catalogue: CatalogueStatement?
    ) {
        self.campaigns = campaigns
        self.trial = trial
        self.reach = reach
        self.results = results
        self.customers = customers
        self.binding = binding
        self.refunds = refunds
        self.catalogue = catalogue
    }
}
