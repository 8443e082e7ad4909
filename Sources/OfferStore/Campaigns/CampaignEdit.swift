import EligibilityRules

/// What changes when the next version of a campaign is written.
///
/// Every store uses this type, so that all stores write and reload under the same conditions.
package struct CampaignEdit {
    /// The record to store.
    ///
    /// Unless the edit publishes a revision, the record keeps the stored published revision, because a revision never changes.
    package let record: CampaignRecord
    /// Whether the edit publishes a revision.
    package let isPublishing: Bool
    /// Whether the testers change.
    package let hasOtherTesters: Bool
    /// Whether processes must reload the campaigns that they hold in memory.
    package let needsReload: Bool

    /// Returns nil if the record is not the version that follows `before`.
    package init?(_ record: CampaignRecord, after before: CampaignRecord?) {
        guard (before?.version ?? 0) == record.version - 1 else { return nil }
        isPublishing = record.latest > before?.latest ?? 0
        // Compared byte by byte, because events contain a hash of the testers' bytes.
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
