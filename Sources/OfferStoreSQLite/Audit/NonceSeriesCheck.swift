import EligibilityRules
import GRDB
import OfferStore

/// Checks that `nonce_series` contains exactly the nonces of all signed requests. A missing nonce could be used again.
///
/// The two tables have different orders, so the check compares order-independent sums of keyed hashes. It looks up each row only
/// if the sums differ.
struct NonceSeriesCheck {
    private let keys = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)
    private var sum: UInt64 = 0
    private var count = 0

    /// Adds a row's concatenated nonces.
    mutating func take(_ nonces: UnsafeRawBufferPointer, row: Int64) {
        var last: UInt64?
        var place = 0
        while place + LedgerSignature.nonceLength <= nonces.count {
            let series = UInt64(bigEndian: nonces.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            if series != last, !stands(series, in: nonces, before: place) { add(series, row) }
            last = series
            place += LedgerSignature.nonceLength
        }
    }

    private func stands(_ series: UInt64, in nonces: UnsafeRawBufferPointer, before end: Int) -> Bool {
        stride(from: 0, to: end, by: LedgerSignature.nonceLength).contains { place in
            UInt64(bigEndian: nonces.loadUnaligned(fromByteOffset: place, as: UInt64.self)) == series
        }
    }

    private mutating func add(_ series: UInt64, _ row: Int64) {
        sum &+= hash(series, row)
        count += 1
    }

    // The finalizer of SplitMix64, applied twice.
    private func hash(_ series: UInt64, _ row: Int64) -> UInt64 {
        var value = (series ^ keys.0) &* keys.1
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &+ UInt64(bitPattern: row) &* 0x9e37_79b9_7f4a_7c15
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }

    /// Compares the sum with that of the table. Returns the first row whose nonces are missing.
    func fault(_ database: Database) throws -> AuditFault? {
        var others = self
        (others.sum, others.count) = (0, 0)
        let all = try PreparedStatement(database, "SELECT series, signed_request FROM nonce_series")
        defer { all.reset() }
        while try all.step() {
            let series = all.withBytes(0) { $0.count == 8 ? UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) : 0 }
            others.add(series, all.number(1))
        }
        guard others.sum != sum || others.count != count else { return nil }
        if let fault = try Self.lost(.min ... .max, database) { return fault }
        return AuditFault(.log, "nonce_series has nonces that no row of signed_request has")
    }

    /// Looks up each of these rows. Returns the first whose nonces are missing.
    static func lost(_ rows: ClosedRange<Int64>, _ database: Database) throws -> AuditFault? {
        let sql = """
            SELECT min(signed_request.id) FROM signed_request WHERE id BETWEEN ? AND ? AND EXISTS (
                SELECT 1 FROM json_each(signed_request.offers) AS offer WHERE NOT EXISTS (
                    SELECT 1 FROM nonce_series WHERE series = substr(nonces, 16 * offer.key + 1, 8)
                    AND nonce_series.signed_request = signed_request.id))
            """
        guard let row = try Int64.fetchOne(database, sql: sql, arguments: [rows.lowerBound, rows.upperBound]) else { return nil }
        return AuditFault(
            .row(.signatures, row), "has nonces that nonce_series has not, or has as another's: they could be used again")
    }
}
