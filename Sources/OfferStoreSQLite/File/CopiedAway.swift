import EligibilityRules
import GRDB
import OfferStore

/// The table `copied_away`: the database that the store was copied to, and that replaces it.
enum CopiedAway {
    /// Throws if the store was copied.
    static func requireNot(_ database: Database) throws {
        let copy = try PreparedStatement(database, "SELECT target, at FROM copied_away")
        defer { copy.reset() }
        guard try copy.step() else { return }
        throw StoreError(
            .unsuitable,
            "the store was copied to \(copy.text(0)) at \(Instant(milliseconds: copy.number(1)).iso8601): name that in "
                + "store.postgresql; if the copy failed, repeat it; to go back to the store as it was then, run offersigner store restored"
        )
    }

    /// Records a copy.
    static func note(_ target: String, at now: Instant, _ database: Database) throws {
        try forget(database)
        try database.execute(sql: "INSERT INTO copied_away VALUES (?, ?)", arguments: [target, now.milliseconds])
    }

    /// Lets the store be served again.
    static func forget(_ database: Database) throws { try database.execute(sql: "DELETE FROM copied_away") }
}
