import EligibilityRules
import FoundationEssentials
import OfferStore

/// A row of the table `reservation` that is being filled: signatures of one transaction, as many as a page of the file takes.
///
/// A row for each would cost as much again as all else that limits do.
final class ReservationRow {
    // A page has 4096 bytes, and the row some more than this.
    private static let capacity = 3_900
    /// How much later than another a signature of the row may lapse, in ms: they go together.
    private static let spread: Int64 = 1_000

    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ReservationRow.capacity, alignment: 8)
    private var used = 0
    /// Of the signature that is being appended: where it begins, and what it has.
    private var start = 0
    private var counts = (names: UInt32(0), totals: UInt16(0), token: UInt16(0))
    private var first = Instant(milliseconds: 0)
    /// The number of the first signature, and of the row.
    private(set) var id: Int64 = 0
    /// When the last one lapses.
    private(set) var until = Instant(milliseconds: 0)

    var isEmpty: Bool { used == 0 }

    deinit { buffer.deallocate() }

    /// Whether a signature that takes so many bytes belongs into a row of its own.
    func isFull(for length: Int, until: Instant) -> Bool {
        used > 0 && (used + length > Self.capacity || abs(until.milliseconds(since: first)) > Self.spread)
    }

    /// Begins with a signature, which `end` ends.
    ///
    /// - Parameters:
    ///   - number: not lower than that of the one before.
    ///   - length: it takes no more bytes.
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

    /// One that it counts under; all of them come before the totals.
    func append(name: LimitKey) {
        store(name.hash)
        counts.names += 1
    }

    /// One that it counts for.
    func append(total: LimitKey) {
        store(total.hash)
        counts.totals += 1
    }

    /// All that it counts under, and for.
    func append(names: LimitNames, totals: LimitNames) {
        names.forEachWord { append(name: $0) }
        totals.forEachWord { append(total: $0) }
    }

    /// The signature itself, at the end.
    func append(token: some Collection<UInt8>) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[used...]).copyBytes(from: token)
        used += token.count
        counts.token += UInt16(token.count)
    }

    /// Ends a signature.
    func end() {
        buffer.storeBytes(of: counts.names, toByteOffset: start + 8, as: UInt32.self)
        buffer.storeBytes(of: counts.totals, toByteOffset: start + 12, as: UInt16.self)
        buffer.storeBytes(of: counts.token, toByteOffset: start + 14, as: UInt16.self)
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

    /// The signatures.
    func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<used]))
    }

    /// Empties it.
    func removeAll() { used = 0 }
}
