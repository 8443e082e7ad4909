/// What a campaign's record changes in the one before it, decided once for every store.
package struct CampaignEdit {
    /// As it is to be stored: neither how it came about nor what was published ever changes.
    package let record: CampaignRecord
    /// Whether it publishes a revision.
    package let isPublishing: Bool
    /// Whether other people than before try it.
    package let hasOtherTesters: Bool
    /// Whether processes that have campaigns in memory must read them again.
    package let needsReload: Bool

    /// Nil where the record rests on another one than `before`.
    package init?(_ record: CampaignRecord, after before: CampaignRecord?) {
        guard (before?.version ?? 0) == record.version - 1 else { return nil }
        isPublishing = record.latest > before?.latest ?? 0
        hasOtherTesters = record.testers != before?.testers ?? []
        let isTriedAnew = !record.testers.isEmpty && record.draft != before?.draft
        needsReload = isPublishing || hasOtherTesters || isTriedAnew || record.standing != before?.standing ?? .unpublished
        self.record = CampaignRecord(
            id: record.id, bundleID: record.bundleID, version: record.version, draftVersion: record.draftVersion,
            standingVersion: record.standingVersion, testersVersion: record.testersVersion,
            created: before?.created ?? record.created, draft: record.draft,
            published: isPublishing ? record.published : before?.published, standing: record.standing, stood: record.stood,
            testers: record.testers, step: record.step, changed: record.changed)
    }
}
