extension PostgreSQLMigrations {
    /// The tables of access keys, sessions, key decisions, campaigns and exposures.
    static let console = [
        // The number of changes of each kind of data that processes hold in memory.
        "CREATE TABLE revision (topic text PRIMARY KEY, number int8 NOT NULL)",
        "INSERT INTO revision VALUES ('access', 0), ('keys', 0), ('campaigns', 0)",
        // A table without rows. Recording signatures and changing keys lock it in conflicting modes, so each waits for the other.
        "CREATE TABLE revocation_gate ()",
        // Counts every change, also a manual one. A statement that finds no row changes nothing.
        """
        CREATE FUNCTION raise_revision() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN
            IF TG_ARGV[0] IN ('access', 'keys') THEN LOCK TABLE revocation_gate IN EXCLUSIVE MODE; END IF;
            UPDATE revision SET number = number + 1 WHERE topic = TG_ARGV[0];
            RETURN NULL;
        END $$
        """,
        """
        CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'what was published of a campaign does not change'; END $$
        """,
        """
        CREATE TABLE access (
            id text COLLATE "C" PRIMARY KEY,
            secret_digest bytea NOT NULL,
            role text NOT NULL,
            apps text,
            note text NOT NULL,
            created_at int8 NOT NULL,
            expires_at int8,
            revoked_at int8,
            created_by text,
            time_zone text
        )
        """,
        """
        CREATE TRIGGER access_changed AFTER INSERT OR UPDATE OR DELETE ON access
            FOR EACH ROW EXECUTE FUNCTION raise_revision('access')
        """,
        // Separate from the keys, so that processes do not reload keys after each use.
        "CREATE TABLE access_use (id text COLLATE \"C\" PRIMARY KEY, used_at int8 NOT NULL)",
        """
        CREATE TABLE console_session (
            digest bytea PRIMARY KEY,
            kind text NOT NULL,
            access_id text COLLATE "C" NOT NULL,
            created_at int8 NOT NULL,
            used_at int8 NOT NULL,
            address text NOT NULL,
            user_agent text NOT NULL,
            proxy_name text
        )
        """,
        // Append-only, in the order of ids. The latest row of a key in an app applies.
        """
        CREATE TABLE key_decision (
            id int8 PRIMARY KEY,
            key_id text COLLATE "C" NOT NULL,
            bundle_id text COLLATE "C" NOT NULL,
            state text NOT NULL,
            decided_at int8 NOT NULL,
            decided_by text NOT NULL,
            reason text NOT NULL
        )
        """,
        """
        CREATE TRIGGER key_decided AFTER INSERT ON key_decision
            FOR EACH ROW EXECUTE FUNCTION raise_revision('keys')
        """,
        // Proposals that a second person must approve; `bundle_ids` are lines.
        """
        CREATE TABLE key_proposal (
            id text COLLATE "C" PRIMARY KEY,
            wish text NOT NULL,
            key_id text NOT NULL,
            bundle_ids text NOT NULL,
            proposed_at int8 NOT NULL,
            proposed_by text NOT NULL,
            reason text NOT NULL
        )
        """,
        // An act has three columns: time, actor and reason.
        """
        CREATE TABLE campaign (
            bundle_id text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            version int8 NOT NULL,
            draft_version int8 NOT NULL,
            standing_version int8 NOT NULL,
            testers_version int8 NOT NULL,
            created_at int8 NOT NULL,
            created_by text NOT NULL,
            created_reason text NOT NULL,
            standing text NOT NULL,
            stood_at int8 NOT NULL,
            stood_by text NOT NULL,
            stood_reason text NOT NULL,
            step text NOT NULL,
            changed_at int8 NOT NULL,
            changed_by text NOT NULL,
            changed_reason text NOT NULL,
            PRIMARY KEY (bundle_id, id)
        )
        """,
        // At most one draft for each campaign; `authors` are lines.
        """
        CREATE TABLE campaign_draft (
            bundle_id text COLLATE "C" NOT NULL,
            campaign_id text COLLATE "C" NOT NULL,
            document bytea NOT NULL,
            based_on int8 NOT NULL,
            authors text NOT NULL,
            saved_at int8 NOT NULL,
            saved_by text NOT NULL,
            saved_reason text NOT NULL,
            submitted_at int8,
            submitted_by text,
            submitted_reason text,
            is_approved boolean,
            ruled_at int8,
            ruled_by text,
            ruled_reason text,
            PRIMARY KEY (bundle_id, campaign_id)
        )
        """,
        // Append-only.
        """
        CREATE TABLE campaign_revision (
            bundle_id text COLLATE "C" NOT NULL,
            campaign_id text COLLATE "C" NOT NULL,
            number int8 NOT NULL,
            document bytea NOT NULL,
            authors text NOT NULL,
            approved_at int8 NOT NULL,
            approved_by text NOT NULL,
            approved_reason text NOT NULL,
            published_at int8 NOT NULL,
            published_by text NOT NULL,
            published_reason text NOT NULL,
            copy_of int8,
            PRIMARY KEY (bundle_id, campaign_id, number)
        )
        """,
        // The code counts its own changes of campaigns. Only an operator deletes rows, with SQL.
        """
        CREATE TRIGGER campaign_revision_removed AFTER DELETE ON campaign_revision
            FOR EACH ROW EXECUTE FUNCTION raise_revision('campaigns')
        """,
        """
        CREATE TRIGGER campaign_revision_kept BEFORE UPDATE ON campaign_revision
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()
        """,
        """
        CREATE TRIGGER campaign_removed AFTER DELETE ON campaign
            FOR EACH ROW EXECUTE FUNCTION raise_revision('campaigns')
        """,
        """
        CREATE TABLE campaign_tester (
            bundle_id text COLLATE "C" NOT NULL,
            campaign_id text COLLATE "C" NOT NULL,
            place int8 NOT NULL,
            kind text NOT NULL,
            id text COLLATE "C" NOT NULL,
            variant text COLLATE "C" NOT NULL,
            note text NOT NULL,
            PRIMARY KEY (bundle_id, campaign_id, place)
        )
        """,
        // The fields that many exposures share. `variant` is NULL for the holdout.
        """
        CREATE TABLE exposure_arm (
            number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            bundle_id text COLLATE "C" NOT NULL,
            campaign_id text COLLATE "C" NOT NULL,
            revision int8 NOT NULL,
            variant text COLLATE "C",
            unit_kind text COLLATE "C" NOT NULL,
            UNIQUE NULLS NOT DISTINCT (bundle_id, campaign_id, revision, variant, unit_kind)
        )
        """,
        // Append-only, except for the units of erased customers. `nonce` is NULL if nothing was signed.
        """
        CREATE TABLE exposure (
            id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            arm int8 NOT NULL,
            at int8 NOT NULL,
            unit text COLLATE "C" NOT NULL,
            caller text COLLATE "C" NOT NULL,
            storefront text,
            app_version text,
            nonce bytea
        )
        """,
        // Testers' exposures, stored separately so that no result counts them. `revision` is 0 if a draft decided.
        """
        CREATE TABLE rehearsal (
            id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            bundle_id text COLLATE "C" NOT NULL,
            campaign_id text COLLATE "C" NOT NULL,
            revision int8 NOT NULL,
            variant text COLLATE "C" NOT NULL,
            kind text NOT NULL,
            unit text COLLATE "C" NOT NULL,
            at int8 NOT NULL,
            nonce bytea
        )
        """,
        "CREATE INDEX rehearsal_by_campaign ON rehearsal (bundle_id, campaign_id)",
        """
        CREATE TABLE exclusion_hold (
            bundle_id text COLLATE "C" NOT NULL,
            unit text COLLATE "C" NOT NULL,
            unit_kind text COLLATE "C" NOT NULL,
            exclusion_group text COLLATE "C" NOT NULL,
            campaign_id text COLLATE "C" NOT NULL,
            PRIMARY KEY (bundle_id, unit, unit_kind, exclusion_group)
        )
        """,
    ]
}
