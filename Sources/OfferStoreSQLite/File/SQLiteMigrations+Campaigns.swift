extension SQLiteMigrations {
    /// The tables of campaigns, in the file of signatures.
    static let campaigns = """
        -- Acts are three columns each: when, who and why.
        CREATE TABLE campaign (
            bundle_id TEXT NOT NULL,
            id TEXT NOT NULL,
            version INTEGER NOT NULL,
            draft_version INTEGER NOT NULL,
            standing_version INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            created_by TEXT NOT NULL,
            created_reason TEXT NOT NULL,
            standing TEXT NOT NULL,
            stood_at INTEGER NOT NULL,
            stood_by TEXT NOT NULL,
            stood_reason TEXT NOT NULL,
            PRIMARY KEY (bundle_id, id)
        ) STRICT;
        -- At most one a campaign; `authors` are lines.
        CREATE TABLE campaign_draft (
            bundle_id TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            document BLOB NOT NULL,
            based_on INTEGER NOT NULL,
            authors TEXT NOT NULL,
            saved_at INTEGER NOT NULL,
            saved_by TEXT NOT NULL,
            saved_reason TEXT NOT NULL,
            submitted_at INTEGER,
            submitted_by TEXT,
            submitted_reason TEXT,
            is_approved INTEGER,
            ruled_at INTEGER,
            ruled_by TEXT,
            ruled_reason TEXT,
            PRIMARY KEY (bundle_id, campaign_id)
        ) STRICT;
        -- Only ever added to.
        CREATE TABLE campaign_revision (
            bundle_id TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            document BLOB NOT NULL,
            authors TEXT NOT NULL,
            approved_at INTEGER NOT NULL,
            approved_by TEXT NOT NULL,
            approved_reason TEXT NOT NULL,
            published_at INTEGER NOT NULL,
            published_by TEXT NOT NULL,
            published_reason TEXT NOT NULL,
            copy_of INTEGER,
            PRIMARY KEY (bundle_id, campaign_id, number)
        ) STRICT;
        INSERT INTO revision VALUES ('campaigns', 0);
        CREATE TRIGGER campaign_published AFTER INSERT ON campaign_revision
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'campaigns'; END;
        CREATE TRIGGER campaign_revision_removed AFTER DELETE ON campaign_revision
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'campaigns'; END;
        CREATE TRIGGER campaign_revision_kept BEFORE UPDATE ON campaign_revision
            BEGIN SELECT RAISE(ABORT, 'what was published of a campaign does not change'); END;
        CREATE TRIGGER campaign_stands AFTER UPDATE OF standing ON campaign WHEN old.standing <> new.standing
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'campaigns'; END;
        CREATE TRIGGER campaign_removed AFTER DELETE ON campaign
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'campaigns'; END;
        """

    /// The table of segments, in the file of signatures. Campaigns hold copies, so it refers to nothing.
    static let segments = """
        CREATE TABLE segment (
            bundle_id TEXT NOT NULL,
            id TEXT NOT NULL,
            version INTEGER NOT NULL,
            document BLOB NOT NULL,
            changed_at INTEGER NOT NULL,
            changed_by TEXT NOT NULL,
            changed_reason TEXT NOT NULL,
            PRIMARY KEY (bundle_id, id)
        ) STRICT;
        """

    /// The tables of exposures, in the file of signatures.
    static let exposures = """
        -- What many exposures share. `variant` NULL: held out.
        CREATE TABLE exposure_arm (
            number INTEGER PRIMARY KEY,
            bundle_id TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            revision INTEGER NOT NULL,
            variant TEXT,
            unit_kind TEXT NOT NULL
        ) STRICT;
        CREATE INDEX exposure_arm_by_campaign ON exposure_arm (bundle_id, campaign_id);
        -- Only ever added to, but for the units of those who were erased. `nonce` NULL: nothing was signed with it.
        CREATE TABLE exposure (
            id INTEGER PRIMARY KEY,
            arm INTEGER NOT NULL,
            at INTEGER NOT NULL,
            unit TEXT NOT NULL,
            caller TEXT NOT NULL,
            storefront TEXT,
            app_version TEXT,
            nonce BLOB
        ) STRICT;
        """

    /// The tables of testers and their rehearsals, in the file of signatures.
    static let testers = """
        ALTER TABLE campaign ADD COLUMN testers_version INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE campaign_tester (
            bundle_id TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            place INTEGER NOT NULL,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            variant TEXT NOT NULL,
            note TEXT NOT NULL,
            PRIMARY KEY (bundle_id, campaign_id, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER campaign_tester_added AFTER INSERT ON campaign_tester
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'campaigns'; END;
        CREATE TRIGGER campaign_tester_removed AFTER DELETE ON campaign_tester
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'campaigns'; END;
        CREATE TRIGGER campaign_draft_tried AFTER INSERT ON campaign_draft WHEN EXISTS (
                SELECT 1 FROM campaign_tester AS tester
                WHERE tester.bundle_id = new.bundle_id AND tester.campaign_id = new.campaign_id
            )
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'campaigns'; END;
        CREATE TRIGGER campaign_draft_given_up AFTER DELETE ON campaign_draft WHEN EXISTS (
                SELECT 1 FROM campaign_tester AS tester
                WHERE tester.bundle_id = old.bundle_id AND tester.campaign_id = old.campaign_id
            )
            BEGIN UPDATE revision SET number = number + 1 WHERE topic = 'campaigns'; END;
        -- What testers have met, apart from exposures: no result can count it. `revision` 0: a draft decided.
        CREATE TABLE rehearsal (
            id INTEGER PRIMARY KEY,
            bundle_id TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            revision INTEGER NOT NULL,
            variant TEXT NOT NULL,
            kind TEXT NOT NULL,
            unit TEXT NOT NULL,
            at INTEGER NOT NULL,
            nonce BLOB
        ) STRICT;
        CREATE INDEX rehearsal_by_campaign ON rehearsal (bundle_id, campaign_id);
        """

    /// The act that made each campaign's version, in the file of signatures. Taken from the latest recorded act.
    static let lastChanges = """
        ALTER TABLE campaign ADD COLUMN step TEXT NOT NULL DEFAULT 'save';
        ALTER TABLE campaign ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE campaign ADD COLUMN changed_by TEXT NOT NULL DEFAULT '';
        ALTER TABLE campaign ADD COLUMN changed_reason TEXT NOT NULL DEFAULT '';
        WITH trace (bundle_id, id, place, step, at, author, reason) AS (
            SELECT bundle_id, id, 1, 'save', created_at, created_by, created_reason FROM campaign
            UNION ALL
            SELECT bundle_id, id, 2, CASE standing WHEN 'paused' THEN 'pause' WHEN 'ended' THEN 'end' ELSE 'resume' END,
                stood_at, stood_by, stood_reason
            FROM campaign WHERE standing <> 'unpublished'
            UNION ALL
            SELECT bundle_id, campaign_id, 3, 'publish', published_at, published_by, published_reason FROM campaign_revision
            UNION ALL
            SELECT bundle_id, campaign_id, 4, 'save', saved_at, saved_by, saved_reason FROM campaign_draft
            UNION ALL
            SELECT bundle_id, campaign_id, 5, 'submit', submitted_at, submitted_by, submitted_reason FROM campaign_draft
            WHERE submitted_at IS NOT NULL
            UNION ALL
            SELECT bundle_id, campaign_id, 6, iif(is_approved, 'approve', 'reject'), ruled_at, ruled_by, ruled_reason
            FROM campaign_draft WHERE ruled_at IS NOT NULL
        )
        UPDATE campaign SET (step, changed_at, changed_by, changed_reason) = (
            SELECT trace.step, at, author, reason FROM trace
            WHERE trace.bundle_id = campaign.bundle_id AND trace.id = campaign.id
            ORDER BY at DESC, place DESC LIMIT 1
        );
        """

    /// The last counts of campaigns, in the file of signatures. `figures` is JSON.
    static let figures = """
        CREATE TABLE campaign_figures (
            bundle_id TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            counted_at INTEGER NOT NULL,
            figures BLOB NOT NULL,
            PRIMARY KEY (bundle_id, campaign_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// The table of exclusion group holds, in the file of signatures.
    static let holds = """
        CREATE TABLE exclusion_hold (
            bundle_id TEXT NOT NULL,
            unit TEXT NOT NULL,
            unit_kind TEXT NOT NULL,
            exclusion_group TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            PRIMARY KEY (bundle_id, unit, unit_kind, exclusion_group)
        ) STRICT, WITHOUT ROWID;
        """

    /// The activity of campaigns, with what is still known of the past, in the file of signatures.
    static let activity = """
        ALTER TABLE campaign ADD COLUMN is_archived INTEGER NOT NULL DEFAULT 0;
        -- Only ever added to.
        CREATE TABLE campaign_activity (
            bundle_id TEXT NOT NULL,
            campaign_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            step TEXT NOT NULL,
            done_at INTEGER NOT NULL,
            done_by TEXT NOT NULL,
            done_reason TEXT NOT NULL,
            revision INTEGER NOT NULL,
            PRIMARY KEY (bundle_id, campaign_id, number)
        ) STRICT, WITHOUT ROWID;
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
        ) AS trace;
        """
}
