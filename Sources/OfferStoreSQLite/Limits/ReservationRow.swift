import EligibilityRules
import FoundationEssentials
import OfferStore

/// A row of the table `reservation` that is being filled: signatures of one transaction, as many as a page of the file takes.
///
/// A row for each would cost as much again as all else that limits do.
struct ReservationRow {
    // A page has 4096 bytes, and the row some more than this.
    private static let capacity = 3_900
    /// How much later than another a signature of the row may lapse, in ms: they go together.
    private static let spread: Int64 = 1_000

    private typealias Counts = (names: UInt32, totals: UInt32, kept: UInt32)

    private var buffer: [UInt8] = []
    private var used = 0
    /// Of the signature that is being appended: where it begins, and what it has.
    private var start = 0
    private var counts: Counts = (0, 0, 0)
    /// The number of the first signature, and of the row.
    private(set) var id: Int64 = 0
    /// The nonce of the first.
    private(set) var nonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    /// When the last one lapses.
    private(set) var until = Instant(milliseconds: 0)

    var isEmpty: Bool { used == 0 }

    /// Whether a signature that takes so many bytes belongs into a row of its own.
    func isFull(for length: Int, until: Instant) -> Bool {
        used > 0 && (used + length > Self.capacity || abs(until.milliseconds(since: self.until)) > Self.spread)
    }

    /// Begins with a signature, which `end` ends.
    ///
    /// - Parameter length: it takes no more bytes.
    mutating func begin(_ number: Int64, until: Instant, nonce: UUID, length: Int) {
        if used == 0 { (id, self.nonce, self.until) = (number, nonce, until) }
        if until > self.until { self.until = until }
        if buffer.count < used + length {
            buffer += [UInt8](repeating: 0, count: max(Self.capacity, used + length) - buffer.count)
        }
        start = used
        counts = (0, 0, 0)
        used += ReservationEntry.headLength
        let start = start
        buffer.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: number, toByteOffset: start, as: Int64.self)
            bytes.storeBytes(of: until.milliseconds, toByteOffset: start + 8, as: Int64.self)
            bytes.storeBytes(of: nonce.uuid, toByteOffset: start + 16, as: uuid_t.self)
        }
    }

    /// One that it counts under; all of them come before the totals.
    mutating func append(name: Int64) {
        store(name)
        counts.names += 1
    }

    /// One that it counts for.
    mutating func append(total: Int64) {
        store(total)
        counts.totals += 1
    }

    /// All that it counts under, and for.
    mutating func append(names: ReservationNames, totals: ReservationNames) {
        names.forEachWord { append(name: $0) }
        totals.forEachWord { append(total: $0) }
    }

    /// What is kept with it, at the end.
    mutating func append(kept: some Collection<UInt8>) {
        buffer.withUnsafeMutableBytes {
            UnsafeMutableRawBufferPointer(rebasing: $0[used...]).copyBytes(from: kept)
        }
        used += kept.count
        counts.kept += UInt32(kept.count)
    }

    /// Ends a signature.
    mutating func end() {
        let counts = counts
        buffer.withUnsafeMutableBytes { $0.storeBytes(of: counts, toByteOffset: start + 32, as: Counts.self) }
    }

    private mutating func store(_ number: Int64) {
        buffer.withUnsafeMutableBytes { $0.storeBytes(of: number, toByteOffset: used, as: Int64.self) }
        used += 8
    }

    /// The signatures.
    func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<used])) }
    }

    /// Empties it.
    mutating func removeAll() { used = 0 }
}
