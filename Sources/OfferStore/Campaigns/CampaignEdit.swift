import EligibilityRules

/// The difference between a campaign's record and its predecessor, computed alike for every store.
package struct CampaignEdit {
    /// The record to store. What was published never changes.
    package let record: CampaignRecord
    /// Whether the edit publishes a revision.
    package let isPublishing: Bool
    /// Whether the testers change.
    package let hasOtherTesters: Bool
    /// Whether processes must reload the campaigns that they hold in memory.
    package let needsReload: Bool

    /// Returns nil where the record does not follow `before`.
    package init?(_ record: CampaignRecord, after before: CampaignRecord?) {
        guard (before?.version ?? 0) == record.version - 1 else { return nil }
        isPublishing = record.latest > before?.latest ?? 0
        // Byte by byte, as the events tell of them.
        let (testers, earlier) = (record.testers, before?.testers ?? [])
        hasOtherTesters = testers.map { $0.auditValues.map(Self.exact) } != earlier.map { $0.auditValues.map(Self.exact) }
        let isTriedAnew = !record.testers.isEmpty && record.draft != before?.draft
        needsReload =
            isPublishing || hasOtherTesters || isTriedAnew || record.status.standing != before?.status.standing ?? .unpublished
        var record = record
        if !isPublishing { record.published = before?.published }
        self.record = record
    }

    private static func exact(_ text: String?) -> ExactText? { text.map(ExactText.init) }
}
