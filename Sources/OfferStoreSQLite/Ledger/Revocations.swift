import GRDB
import OfferStore

/// Revoked access keys and signing keys, read again after each change of keys.
///
/// Unchecked: confined to the writer's queue.
final class Revocations: @unchecked Sendable {
    private var revision: Int64 = -1
    private var isCurrent = false
    private(set) var signers: Set<SigningKeyUse> = []
    private(set) var callers: Set<String> = []

    /// Notes that keys may have changed.
    func discard() { isCurrent = false }

    /// Reads the keys again if they have changed.
    func catchUp(_ database: Database) throws {
        guard !isCurrent else { return }
        // For a list, such as `topic IN (…)`, SQLite would make a table in each transaction.
        let current = try PreparedStatement(
            database,
            """
            SELECT (SELECT number FROM revision WHERE topic = 'access') + (SELECT number FROM revision WHERE topic = 'keys')
            """)
        defer { current.reset() }
        if try current.step(), current.isNull(0) || current.number(0) != revision {
            try read(database)
            revision = current.number(0)
        }
        isCurrent = true
    }

    private func read(_ database: Database) throws {
        signers = Set(
            try Row.fetchAll(
                database,
                sql: "SELECT key_id, bundle_id FROM key_decision WHERE state = ?", arguments: [KeyDecision.revoked]
            ).map { SigningKeyUse(keyID: $0[0], bundleID: $0[1]) })
        callers = try Set(String.fetchAll(database, sql: "SELECT id FROM access WHERE revoked_at IS NOT NULL"))
    }
}
