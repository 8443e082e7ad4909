import EligibilityRules
import FoundationEssentials
import OfferStore

/// A row of the table `reservation` in preparation: signatures of one transaction, as many as fit a page of the file.
///
/// A row for each signature would double the cost of limits.
final class ReservationRow {
    // A page has 4096 bytes; the row needs some more than this.
    private static let capacity = 3_900
    /// Maximum difference between the ends of a row's signatures, in ms, because all signatures of a row lapse together.
    private static let spread: Int64 = 1_000

    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ReservationRow.capacity, alignment: 8)
    private var used = 0
    /// The offset and the counts of the current signature.
    private var start = 0
    private var counts = (names: UInt32(0), totals: UInt16(0), held: UInt16(0))
    private var first = Instant(milliseconds: 0)
    /// The number of the first signature, and of the row.
    private(set) var id: Int64 = 0
    /// When the last signature lapses.
    private(set) var until = Instant(milliseconds: 0)

    var isEmpty: Bool { used == 0 }

    deinit { buffer.deallocate() }

    /// Whether a signature of this length needs a new row.
    func isFull(for length: Int, until: Instant) -> Bool {
        used > 0 && (used + length > Self.capacity || abs(until.milliseconds(since: first)) > Self.spread)
    }

    /// Begins a signature, which `end` completes.
    ///
    /// - Parameters:
    ///   - number: must not be lower than the previous one.
    ///   - length: the maximum length in bytes.
    func begin(_ number: Int64, until: Instant, length: Int) {
        reserve(used + ReservationEntry.baseLength + length)
        if used == 0 {
            (id, first, self.until) = (number, until, until)
            store(number)
            store(until.milliseconds)
        }
        if until > self.until { self.until = until }
        start = used
        counts = (0, 0, 0)
        buffer.storeBytes(of: UInt32(number - id), toByteOffset: start, as: UInt32.self)
        buffer.storeBytes(of: Int32(until.milliseconds(since: first)), toByteOffset: start + 4, as: Int32.self)
        used += ReservationEntry.headLength
    }

    /// Appends a name that the signature counts under. Append all names before the totals.
    func append(name: LimitKey) {
        store(name.hash)
        counts.names += 1
    }

    /// Appends a total that a redemption of the signature counts for.
    ///
    /// - Parameter isHeld: whether the signature holds its customer's place in the total.
    func append(total: LimitKey, isHeld: Bool) {
        store(total.hash)
        // A signature has no more than two totals: its offer's and its campaign's.
        if isHeld { counts.held |= 1 << counts.totals }
        counts.totals += 1
    }

    /// Appends all names and totals.
    func append(names: LimitNames, totals: LimitNames, held: [LimitKey]) {
        names.forEachWord { append(name: $0) }
        totals.forEachWord { append(total: $0, isHeld: held.contains($0)) }
    }

    /// Completes a signature.
    func end() {
        buffer.storeBytes(of: counts.names, toByteOffset: start + 8, as: UInt32.self)
        buffer.storeBytes(of: counts.totals, toByteOffset: start + 12, as: UInt16.self)
        buffer.storeBytes(of: counts.held, toByteOffset: start + 14, as: UInt16.self)
    }

    private func store(_ number: Int64) {
        buffer.storeBytes(of: number, toByteOffset: used, as: Int64.self)
        used += 8
    }

    private func reserve(_ capacity: Int) {
        guard buffer.count < capacity else { return }
        let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 8)
        grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<used]))
        buffer.deallocate()
        buffer = grown
    }

    /// Calls `body` with the row's bytes.
    func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<used]))
    }

    func removeAll() { used = 0 }
}
