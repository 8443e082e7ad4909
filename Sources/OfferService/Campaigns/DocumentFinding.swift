package import EligibilityRules

/// A finding about a document of campaigns, for its author.
package struct DocumentFinding: Equatable, Sendable {
    /// The field, such as `campaigns[0].variants[1].weight`.
    package let path: String
    package let severity: CampaignFinding.Severity
    /// What is wrong, then what to do.
    package let message: String
}
