import EligibilityRules
import OfferStore

/// The customer about whom an app's campaigns decide, and the request in which they do.
struct CampaignQuestion {
    /// The live campaigns, and those that testers rehearse.
    let campaigns: AppCampaigns
    let customer: Customer
    /// The history that the customer's facts are drawn from.
    let stored: StoredHistory
    let occasion: OfferOccasion
    let app: App
    let caller: Caller
}
