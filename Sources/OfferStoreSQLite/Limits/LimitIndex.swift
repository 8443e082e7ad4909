import FoundationEssentials
import GRDB
import OfferStore

/// What the writer knows of limits between transactions, so that a customer without uses costs no read of the file.
///
/// Other processes write, too, and a transaction may fail after this index has recorded it. Each transaction therefore begins by
/// reading the file's new rows.
///
/// Unchecked: confined to the writer's queue.
final class LimitIndex: @unchecked Sendable {
    /// Outstanding signatures.
    let reservations = ReservationIndex()
    /// Names with a redemption.
    private(set) var redeemed = KeyFilter()
    // The last recorded rows. All rows before them are recorded, too.
    private var lastReservation: Int64 = 0
    private var lastUse: Int64 = 0
    // The last row that this process wrote. If it is in the file, so are all rows written with it.
    private var written: (row: Int64, nonce: UUID)?
    // Nil until first read from the file.
    private var hash: LimitHash?
    /// The row buffer, reused in each transaction.
    let row = ReservationRow()

    /// The hash of names, read once.
    func hash(_ database: Database) throws -> LimitHash {
        if let hash { return hash }
        let key = try Data.fetchOne(database.cachedStatement(sql: "SELECT key FROM limit_hash"))!
        let hash = LimitHash(SipHash(key: Array(key)))
        self.hash = hash
        return hash
    }

    /// Records what has become durable since the last call.
    func catchUp(_ database: Database) throws {
        // A failed transaction may have left signatures in the buffer.
        row.removeAll()
        let ends = try PreparedStatement(
            database,
            """
            SELECT (SELECT nonce FROM reservation WHERE id = ?), (SELECT min(id) FROM reservation),
                (SELECT max(id) FROM reservation), (SELECT max(id) FROM offer_use)
            """)
        ends.bind(written?.row, at: 1)
        defer { ends.reset() }
        _ = try ends.step()
        if let written, ends.withBytes(0, { withUnsafeBytes(of: written.nonce.uuid, $0.elementsEqual) }) {
            lastReservation = max(lastReservation, written.row)
        }
        written = nil
        if !ends.isNull(2), ends.number(2) > lastReservation { try takeInReservations(database) }
        // Called only after the new rows were read, because the index recognises a signature that it reads again only within one
        // part.
        reservations.forget(before: ends.isNull(1) ? nil : ends.number(1))
        if !ends.isNull(3), ends.number(3) > lastUse { try takeInRedemptions(database) }
    }

    /// Whether there may be uses under a name.
    func mayHave(under name: LimitKey) -> Bool { reservations.mayHave(under: name) || redeemed.mayContain(name) }

    private func takeInReservations(_ database: Database) throws {
        let rows = try PreparedStatement(database, "SELECT id, signatures FROM reservation WHERE id > ? ORDER BY id")
        rows.bind(lastReservation, at: 1)
        defer { rows.reset() }
        while try rows.step() {
            lastReservation = rows.number(0)
            rows.withBytes(1) { bytes in
                for entry in ReservationEntries(bytes) { insert(entry, row: lastReservation) }
            }
        }
    }

    private func takeInRedemptions(_ database: Database) throws {
        let uses = try PreparedStatement(database, "SELECT id, limit_key FROM offer_use WHERE id > ? ORDER BY id")
        uses.bind(lastUse, at: 1)
        defer { uses.reset() }
        while try uses.step() {
            lastUse = uses.number(0)
            redeemed.insert(LimitKey(uses.number(1)))
        }
    }

    private func insert(_ entry: ReservationEntry, row: Int64) {
        for name in entry.names.keys { reservations.insert(entry.number, under: name) }
        for total in entry.held { reservations.insert(row: row, of: total) }
    }

    /// Notes a row of the current transaction, whose signatures are recorded.
    func didWrite(_ row: Int64, nonce: UUID) { written = (row, nonce) }
}

/// A growing Bloom filter (Bloom, 1970) of keys: 16 bits for each, and about 1 false positive in 400.
///
/// When it is full, it adds another part of twice the size.
struct KeyFilter {
    private static let bitsPerKey = 16
    private static let probes = 4
    private static let firstCapacity = 1 << 12

    private struct Part {
        var words: [UInt64]
        var free: Int

        init(capacity: Int) {
            words = Array(repeating: 0, count: capacity * KeyFilter.bitsPerKey / UInt64.bitWidth)
            free = capacity
        }
    }

    private var parts: [Part] = []

    /// Inserts a key. Repeated insertions have no effect.
    mutating func insert(_ key: LimitKey) {
        guard !mayContain(key) else { return }
        if parts.last.map({ $0.free == 0 }) ?? true { parts.append(Part(capacity: Self.firstCapacity << parts.count)) }
        let last = parts.count - 1
        for probe in 0..<Self.probes {
            let bit = Self.bit(probe, key, parts[last].words.count)
            parts[last].words[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        parts[last].free -= 1
    }

    /// Returns false only if the key was never inserted.
    func mayContain(_ key: LimitKey) -> Bool {
        parts.contains { part in
            for probe in 0..<Self.probes {
                let bit = Self.bit(probe, key, part.words.count)
                if part.words[bit >> 6] & 1 << UInt64(bit & 63) == 0 { return false }
            }
            return true
        }
    }

    /// Derives all probes from two halves of a hash (Kirsch and Mitzenmacher, 2008).
    private static func bit(_ probe: Int, _ key: LimitKey, _ words: Int) -> Int {
        let key = UInt64(bitPattern: key.hash)
        let step = key >> 32 | 1
        return Int(truncatingIfNeeded: (key &+ UInt64(probe) &* step) & UInt64(words * UInt64.bitWidth - 1))
    }
}
