import EligibilityRules
import OfferStore

extension CampaignEdit {
    /// Writes what has changed.
    func write(_ transaction: some SQLTransaction) throws {
        try writeCampaign(transaction)
        if hasOtherTesters { try writeTesters(transaction) }
        try writeDraft(transaction)
        if isPublishing { try addPublished(transaction) }
    }

    private var key: [SQLValue] { [.text(record.bundleID), .text(record.id)] }

    private func writeCampaign(_ transaction: some SQLTransaction) throws {
        let versions = [record.version, record.versions.draft, record.versions.standing, record.versions.testers]
        try transaction.enqueue(
            """
            INSERT INTO campaign (bundle_id, id, version, draft_version, standing_version, testers_version, created_at, created_by,
                created_reason, standing, stood_at, stood_by, stood_reason, step, changed_at, changed_by, changed_reason, is_archived)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
            ON CONFLICT (bundle_id, id) DO UPDATE SET version = excluded.version, draft_version = excluded.draft_version,
                standing_version = excluded.standing_version, testers_version = excluded.testers_version,
                created_at = excluded.created_at, created_by = excluded.created_by, created_reason = excluded.created_reason,
                standing = excluded.standing, stood_at = excluded.stood_at, stood_by = excluded.stood_by,
                stood_reason = excluded.stood_reason, step = excluded.step, changed_at = excluded.changed_at,
                changed_by = excluded.changed_by, changed_reason = excluded.changed_reason, is_archived = excluded.is_archived
            """,
            key + versions.map { .number($0) } + CampaignAct.values(record.acts.created)
                + [.text(record.status.standing.rawValue)] + CampaignAct.values(record.status.change)
                + [.text(record.acts.step)] + CampaignAct.values(record.acts.changed) + [.flag(record.status.isArchived)])
    }

    private func writeTesters(_ transaction: some SQLTransaction) throws {
        try transaction.enqueue("DELETE FROM campaign_tester WHERE bundle_id = $1 AND campaign_id = $2", key)
        for (place, tester) in record.testers.enumerated() {
            try transaction.enqueue(
                """
                INSERT INTO campaign_tester (bundle_id, campaign_id, place, kind, id, variant, note)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                """,
                key + [
                    .number(Int64(place)), .text(tester.kind.rawValue), .text(tester.id), .text(tester.variant),
                    .text(tester.note),
                ])
        }
    }

    private func writeDraft(_ transaction: some SQLTransaction) throws {
        try transaction.enqueue("DELETE FROM campaign_draft WHERE bundle_id = $1 AND campaign_id = $2", key)
        guard let draft = record.draft else { return }
        let (submitted, ruling) = (draft.review?.submitted, draft.review?.ruling)
        try transaction.enqueue(
            """
            INSERT INTO campaign_draft (bundle_id, campaign_id, document, based_on, authors, saved_at, saved_by, saved_reason,
                submitted_at, submitted_by, submitted_reason, is_approved, ruled_at, ruled_by, ruled_reason)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """,
            key + [.bytes(draft.document), .number(Int64(draft.basedOn)), .text(draft.authors.lines)]
                + CampaignAct.values(draft.saved) + CampaignAct.values(submitted) + [.flag(ruling?.isApproval)]
                + CampaignAct.values(ruling?.act))
    }

    private func addPublished(_ transaction: some SQLTransaction) throws {
        guard let published = record.published else { return }
        try transaction.enqueue(
            """
            INSERT INTO campaign_revision (bundle_id, campaign_id, number, document, authors, approved_at, approved_by,
                approved_reason, published_at, published_by, published_reason, copy_of)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """,
            key + [.number(Int64(published.number)), .bytes(published.document), .text(published.authors.lines)]
                + CampaignAct.values(published.approved) + CampaignAct.values(published.published)
                + [.number(published.copyOf.map(Int64.init))])
    }
}

extension CampaignActivity {
    /// Adds the entry after the campaign's other entries.
    func add(to record: CampaignRecord, _ transaction: some SQLTransaction) throws {
        try transaction.enqueue(
            """
            INSERT INTO campaign_activity (bundle_id, campaign_id, number, step, done_at, done_by, done_reason, revision)
            SELECT $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6, $7 FROM campaign_activity
            WHERE bundle_id = $1 AND campaign_id = $2
            """,
            [.text(record.bundleID), .text(record.id), .text(step)] + CampaignAct.values(act) + [.number(Int64(revision))])
    }
}
