import FoundationEssentials
import GRDB

/// What the writer knows of limits from one transaction to the next, so that whoever has used nothing yet costs no look at the file.
///
/// Other processes write, too, and a transaction may fail after this has taken it in: each begins with what is new in the file.
/// Unchecked: reached on the writer's queue only.
final class LimitIndex: @unchecked Sendable {
    /// Outstanding signatures.
    let reservations = ReservationIndex()
    /// Names under which something was redeemed.
    private(set) var redeemed = KeyFilter()
    // All rows up to these are taken in.
    private var lastReservation: Int64 = 0
    private var lastUse: Int64 = 0
    // The last row that this process wrote: if it is there, so is all that was written with it.
    private var written: (row: Int64, nonce: UUID)?
    private var keys: ReservationKeys?
    private var row = ReservationRow()

    /// What makes names numbers, and a row to fill, from transaction to transaction: neither is made anew for each.
    func borrow(_ database: Database) throws -> (keys: ReservationKeys, row: ReservationRow) {
        defer { (keys, row) = (nil, ReservationRow()) }
        // A transaction that failed may have left something.
        row.removeAll()
        return (try keys ?? ReservationKeys(Self.readHash(database)), row)
    }

    /// Takes them back.
    func giveBack(_ keys: ReservationKeys, _ row: ReservationRow) { (self.keys, self.row) = (keys, row) }

    /// Makes names numbers, as the file says.
    static func readHash(_ database: Database) throws -> SipHash {
        SipHash(key: Array(try Data.fetchOne(database.cachedStatement(sql: "SELECT key FROM limit_hash"))!))
    }

    /// Takes in what has become durable since the last time.
    func catchUp(_ database: Database) throws {
        if let written {
            let find = try PreparedStatement(database, "SELECT 1 FROM reservation WHERE id = ? AND nonce = ?")
            find.bind(written.row, at: 1)
            withUnsafeBytes(of: written.nonce.uuid) { find.bind($0, at: 2) }
            defer { find.reset() }
            if try find.step() { lastReservation = max(lastReservation, written.row) }
        }
        written = nil
        let rows = try PreparedStatement(
            database, "SELECT id, signatures FROM reservation WHERE id > ? ORDER BY id")
        rows.bind(lastReservation, at: 1)
        defer { rows.reset() }
        while try rows.step() {
            lastReservation = rows.number(0)
            rows.withBytes(1) { bytes in
                for entry in ReservationEntries(bytes) { insert(entry, row: lastReservation) }
            }
        }
        // Only now: what was read once more is where it was.
        let first = try PreparedStatement(database, "SELECT min(id) FROM reservation")
        defer { first.reset() }
        _ = try first.step()
        reservations.forget(before: first.isNull(0) ? nil : first.number(0))
        let uses = try PreparedStatement(database, "SELECT id, limit_key FROM offer_use WHERE id > ? ORDER BY id")
        uses.bind(lastUse, at: 1)
        defer { uses.reset() }
        while try uses.step() {
            lastUse = uses.number(0)
            redeemed.insert(uses.number(1))
        }
    }

    private func insert(_ entry: ReservationEntry, row: Int64) {
        for name in entry.names.all { reservations.insert(entry.number, under: name) }
        for total in entry.totals.all { reservations.insert(row: row, of: total) }
    }

    /// Notes a row of the transaction that runs, whose signatures are taken in.
    func didWrite(_ row: Int64, nonce: UUID) { written = (row, nonce) }
}
