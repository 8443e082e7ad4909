extension SQLDialect {
    /// The tables of campaigns and segments.
    package var campaigns: [String] {
        [
            // An act has three columns: time, actor and reason. `step` and `changed_…` are the act that made the version.
            """
            CREATE TABLE campaign (
                bundle_id \(text) NOT NULL,
                id \(text) NOT NULL,
                version \(number) NOT NULL,
                draft_version \(number) NOT NULL,
                standing_version \(number) NOT NULL,
                testers_version \(number) NOT NULL,
                created_at \(number) NOT NULL,
                created_by \(text) NOT NULL,
                created_reason \(text) NOT NULL,
                standing \(text) NOT NULL,
                stood_at \(number) NOT NULL,
                stood_by \(text) NOT NULL,
                stood_reason \(text) NOT NULL,
                step \(text) NOT NULL,
                changed_at \(number) NOT NULL,
                changed_by \(text) NOT NULL,
                changed_reason \(text) NOT NULL,
                is_archived \(flag) NOT NULL DEFAULT false,
                PRIMARY KEY (bundle_id, id)
            )\(plain)
            """,
            // At most one draft for each campaign. `authors` has one author a line.
            """
            CREATE TABLE campaign_draft (
                bundle_id \(text) NOT NULL,
                campaign_id \(text) NOT NULL,
                document \(bytes) NOT NULL,
                based_on \(number) NOT NULL,
                authors \(text) NOT NULL,
                saved_at \(number) NOT NULL,
                saved_by \(text) NOT NULL,
                saved_reason \(text) NOT NULL,
                submitted_at \(number),
                submitted_by \(text),
                submitted_reason \(text),
                is_approved \(flag),
                ruled_at \(number),
                ruled_by \(text),
                ruled_reason \(text),
                PRIMARY KEY (bundle_id, campaign_id)
            )\(plain)
            """,
            // Append-only.
            """
            CREATE TABLE campaign_revision (
                bundle_id \(text) NOT NULL,
                campaign_id \(text) NOT NULL,
                number \(number) NOT NULL,
                document \(bytes) NOT NULL,
                authors \(text) NOT NULL,
                approved_at \(number) NOT NULL,
                approved_by \(text) NOT NULL,
                approved_reason \(text) NOT NULL,
                published_at \(number) NOT NULL,
                published_by \(text) NOT NULL,
                published_reason \(text) NOT NULL,
                copy_of \(number),
                PRIMARY KEY (bundle_id, campaign_id, number)
            )\(plain)
            """,
            // Append-only.
            """
            CREATE TABLE campaign_activity (
                bundle_id \(text) NOT NULL,
                campaign_id \(text) NOT NULL,
                number \(number) NOT NULL,
                step \(text) NOT NULL,
                done_at \(number) NOT NULL,
                done_by \(text) NOT NULL,
                done_reason \(text) NOT NULL,
                revision \(number) NOT NULL,
                PRIMARY KEY (bundle_id, campaign_id, number)
            )\(ordered)
            """,
            """
            CREATE TABLE campaign_tester (
                bundle_id \(text) NOT NULL,
                campaign_id \(text) NOT NULL,
                place \(number) NOT NULL,
                kind \(text) NOT NULL,
                id \(text) NOT NULL,
                variant \(text) NOT NULL,
                note \(text) NOT NULL,
                PRIMARY KEY (bundle_id, campaign_id, place)
            )\(ordered)
            """,
            // The last counts of campaigns. `figures` is JSON.
            """
            CREATE TABLE campaign_figures (
                bundle_id \(text) NOT NULL,
                campaign_id \(text) NOT NULL,
                counted_at \(number) NOT NULL,
                figures \(bytes) NOT NULL,
                PRIMARY KEY (bundle_id, campaign_id)
            )\(ordered)
            """,
            // Campaigns hold copies of segments, so nothing refers to this table.
            """
            CREATE TABLE segment (
                bundle_id \(text) NOT NULL,
                id \(text) NOT NULL,
                version \(number) NOT NULL,
                document \(bytes) NOT NULL,
                changed_at \(number) NOT NULL,
                changed_by \(text) NOT NULL,
                changed_reason \(text) NOT NULL,
                PRIMARY KEY (bundle_id, id)
            )\(plain)
            """,
            refusingUpdates("campaign_revision", "what was published of a campaign does not change"),
        ]
            // The program itself counts the changes that it makes, and never deletes these rows. The triggers count if an
            // operator deletes some with SQL.
            + raisingRevision("campaigns", [.delete], "campaign_revision") + raisingRevision("campaigns", [.delete], "campaign")
    }

    /// The tables of exposures, what testers have met, and the holds of exclusion groups.
    package var exposures: [String] {
        [
            // What many exposures share. `variant` is NULL for the holdout.
            """
            CREATE TABLE exposure_arm (
                number \(ownNumber),
                bundle_id \(text) NOT NULL,
                campaign_id \(text) NOT NULL,
                revision \(number) NOT NULL,
                variant \(text),
                unit_kind \(text) NOT NULL
            )\(plain)
            """,
            // Append-only, except for the units of erased customers. `nonce` is NULL if nothing was signed.
            """
            CREATE TABLE exposure (
                id \(ownNumber),
                arm \(number) NOT NULL,
                at \(number) NOT NULL,
                unit \(text) NOT NULL,
                caller \(text) NOT NULL,
                storefront \(text),
                app_version \(text),
                nonce \(bytes)
            )\(plain)
            """,
            // Testers' exposures, stored separately so that no result counts them. `revision` is 0 if a draft decided.
            """
            CREATE TABLE rehearsal (
                id \(ownNumber),
                bundle_id \(text) NOT NULL,
                campaign_id \(text) NOT NULL,
                revision \(number) NOT NULL,
                variant \(text) NOT NULL,
                kind \(text) NOT NULL,
                unit \(text) NOT NULL,
                at \(number) NOT NULL,
                nonce \(bytes)
            )\(plain)
            """,
            "CREATE INDEX rehearsal_by_campaign ON rehearsal (bundle_id, campaign_id)",
            """
            CREATE TABLE exclusion_hold (
                bundle_id \(text) NOT NULL,
                unit \(text) NOT NULL,
                unit_kind \(text) NOT NULL,
                exclusion_group \(text) NOT NULL,
                campaign_id \(text) NOT NULL,
                PRIMARY KEY (bundle_id, unit, unit_kind, exclusion_group)
            )\(ordered)
            """,
        ]
    }
}
