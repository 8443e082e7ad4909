extension PostgreSQLMigrations {
    /// The activity of campaigns, with what is still known of the past.
    static let activity = [
        "ALTER TABLE campaign ADD COLUMN is_archived boolean NOT NULL DEFAULT false",
        // Append-only.
        """
        CREATE TABLE campaign_activity (
            bundle_id text COLLATE "C" NOT NULL,
            campaign_id text COLLATE "C" NOT NULL,
            number int8 NOT NULL,
            step text NOT NULL,
            done_at int8 NOT NULL,
            done_by text NOT NULL,
            done_reason text NOT NULL,
            revision int8 NOT NULL,
            PRIMARY KEY (bundle_id, campaign_id, number)
        )
        """,
        """
        INSERT INTO campaign_activity
        SELECT bundle_id, id, row_number() OVER (PARTITION BY bundle_id, id ORDER BY at, place), step, at, actor, reason, revision
        FROM (
            SELECT bundle_id, id, 0 AS place, 'create' AS step, created_at AS at, created_by AS actor, created_reason AS reason,
                1 AS revision
            FROM campaign
            UNION ALL
            SELECT bundle_id, campaign_id, 1, 'approve', approved_at, approved_by, approved_reason, number
            FROM campaign_revision WHERE copy_of IS NULL
            UNION ALL
            SELECT bundle_id, campaign_id, 2, CASE WHEN copy_of IS NULL THEN 'publish' ELSE 'rollback' END, published_at,
                published_by, published_reason, number
            FROM campaign_revision
            UNION ALL
            SELECT bundle_id, id, 3, CASE standing WHEN 'paused' THEN 'pause' WHEN 'ended' THEN 'end' ELSE 'resume' END,
                stood_at, stood_by, stood_reason, coalesce(latest, 0)
            FROM (
                SELECT campaign.*, (
                    SELECT max(number) FROM campaign_revision AS revision
                    WHERE revision.bundle_id = campaign.bundle_id AND campaign_id = campaign.id AND published_at < stood_at
                ) AS latest
                FROM campaign
            ) AS stood WHERE latest IS NOT NULL OR standing = 'ended'
            UNION ALL
            SELECT bundle_id, campaign_id, 4, 'save', saved_at, saved_by, saved_reason, based_on + 1 FROM campaign_draft
            WHERE based_on > 0 OR NOT EXISTS (
                SELECT 1 FROM campaign
                WHERE campaign.bundle_id = campaign_draft.bundle_id AND id = campaign_id AND created_at = saved_at
            )
            UNION ALL
            SELECT bundle_id, campaign_id, 5, 'submit', submitted_at, submitted_by, submitted_reason, based_on + 1
            FROM campaign_draft WHERE submitted_at IS NOT NULL
            UNION ALL
            SELECT bundle_id, campaign_id, 6, CASE WHEN is_approved THEN 'approve' ELSE 'reject' END, ruled_at, ruled_by,
                ruled_reason, based_on + 1
            FROM campaign_draft WHERE ruled_at IS NOT NULL
        ) AS trace
        """,
    ]
}
