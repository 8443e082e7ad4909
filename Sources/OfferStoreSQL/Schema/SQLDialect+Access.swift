extension SQLDialect {
    /// The tables of access keys, sessions, decisions about signing keys, and secrets.
    package var access: [String] {
        [
            // How often each kind of data that processes hold in memory was changed.
            "CREATE TABLE revision (topic \(text) NOT NULL PRIMARY KEY, number \(number) NOT NULL)\(plain)",
            "INSERT INTO revision VALUES ('access', 0), ('keys', 0), ('campaigns', 0)",
            """
            CREATE TABLE access (
                id \(text) NOT NULL PRIMARY KEY,
                secret_digest \(bytes) NOT NULL,
                role \(text) NOT NULL,
                apps \(text),
                note \(text) NOT NULL,
                created_at \(number) NOT NULL,
                expires_at \(number),
                revoked_at \(number),
                created_by \(text),
                time_zone \(text)
            )\(plain)
            """,
            // Separate from the keys, so that processes do not reload keys after each use.
            "CREATE TABLE access_use (id \(text) NOT NULL PRIMARY KEY, used_at \(number) NOT NULL)\(ordered)",
            """
            CREATE TABLE console_session (
                digest \(bytes) NOT NULL PRIMARY KEY,
                kind \(text) NOT NULL,
                access_id \(text) NOT NULL,
                created_at \(number) NOT NULL,
                used_at \(number) NOT NULL,
                address \(text) NOT NULL,
                user_agent \(text) NOT NULL,
                proxy_name \(text)
            )\(ordered)
            """,
            // Append-only, in the order of ids. The latest row of a key in an app applies, unless an earlier row has revoked the
            // key. `fingerprint`: the SHA-256 of the public key.
            """
            CREATE TABLE key_decision (
                id \(number) PRIMARY KEY,
                key_id \(text) NOT NULL,
                bundle_id \(text) NOT NULL,
                state \(text) NOT NULL,
                decided_at \(number) NOT NULL,
                decided_by \(text) NOT NULL,
                reason \(text) NOT NULL,
                fingerprint \(text)
            )\(plain)
            """,
            // Proposals that a second person must approve. `bundle_ids` has one bundle id a line.
            """
            CREATE TABLE key_proposal (
                id \(text) NOT NULL PRIMARY KEY,
                wish \(text) NOT NULL,
                key_id \(text) NOT NULL,
                bundle_ids \(text) NOT NULL,
                proposed_at \(number) NOT NULL,
                proposed_by \(text) NOT NULL,
                reason \(text) NOT NULL
            )\(plain)
            """,
            "CREATE TABLE secret (name \(text) NOT NULL PRIMARY KEY, value \(bytes) NOT NULL)\(plain)",
        ]
            + raisingRevision("access", [.insert, .update, .delete], "access")
            // The program never changes or removes a decision. If an operator or an attacker does, all processes read the
            // decisions again at once.
            + raisingRevision("keys", [.insert, .update, .delete], "key_decision")
    }
}
