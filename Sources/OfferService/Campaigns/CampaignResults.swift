package import EligibilityRules

/// What can be said of a campaign's experiment now.
package enum CampaignResults: Sendable {
    /// Counted. With progress while it is being counted anew: then this is what was counted last.
    case counted(ExperimentReport, CountingProgress?)
    /// It is being counted for the first time.
    case counting(CountingProgress)
}
