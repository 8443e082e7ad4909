import EligibilityRules
import FoundationEssentials
import OfferStore

/// A signature that counts for limits, where it lies in a row of the table `reservation`.
///
/// A row begins with the number and the end of the first, eight bytes each. Then one after the other: how much higher its number is
/// and how much later its end (ms), the number of names, four bytes each, the number of totals and of the token's bytes, two each,
/// and then these. Numbers are in the order of the machine.
struct ReservationEntry {
    static let headLength = 16
    /// Of a row.
    static let baseLength = 16

    private let base: (number: Int64, until: Int64)
    /// All of it.
    let bytes: UnsafeRawBufferPointer

    /// Nil where the bytes end too early.
    fileprivate init?(_ rest: UnsafeRawBufferPointer, _ base: (number: Int64, until: Int64)) {
        guard rest.count >= Self.headLength else { return nil }
        let length = Self.length(rest)
        guard rest.count >= length else { return nil }
        self.base = base
        bytes = UnsafeRawBufferPointer(rebasing: rest[..<length])
    }

    /// The one with a number in a row.
    static func find(_ number: Int64, in row: UnsafeRawBufferPointer) -> ReservationEntry? {
        ReservationEntries(row).first { $0.number == number }
    }

    /// Later ones have higher numbers.
    var number: Int64 { base.number + Int64(bytes.loadUnaligned(as: UInt32.self)) }
    /// Until then it counts.
    var until: Instant { Instant(milliseconds: base.until + Int64(bytes.loadUnaligned(fromByteOffset: 4, as: Int32.self))) }
    /// The names it counts under.
    var names: LimitNames { words(Self.headLength, nameCount) }
    /// The totals it counts for.
    var totals: LimitNames { words(Self.headLength + 8 * nameCount, totalCount) }
    /// The signature itself, to be given again; empty where it is not.
    var token: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[(Self.headLength + 8 * (nameCount + totalCount))...])
    }

    func counts(under name: LimitKey) -> Bool { (0..<nameCount).contains { word(Self.headLength + 8 * $0) == name.hash } }

    private var nameCount: Int { Self.nameCount(bytes) }
    private var totalCount: Int { Self.totalCount(bytes) }

    private static func nameCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }

    private static func totalCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    }

    private static func length(_ bytes: UnsafeRawBufferPointer) -> Int {
        headLength + 8 * (nameCount(bytes) + totalCount(bytes))
            + Int(bytes.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
    }

    private func words(_ offset: Int, _ count: Int) -> LimitNames {
        LimitNames(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 8 * count]))
    }

    private func word(_ offset: Int) -> Int64 { bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self) }
}

/// Those of a row, the first first.
struct ReservationEntries: Sequence, IteratorProtocol {
    private let base: (number: Int64, until: Int64)
    private var rest: UnsafeRawBufferPointer

    init(_ row: UnsafeRawBufferPointer) {
        guard row.count >= ReservationEntry.baseLength else {
            (base, rest) = ((0, 0), UnsafeRawBufferPointer(start: nil, count: 0))
            return
        }
        base = (row.loadUnaligned(as: Int64.self), row.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        rest = UnsafeRawBufferPointer(rebasing: row[ReservationEntry.baseLength...])
    }

    mutating func next() -> ReservationEntry? {
        guard let entry = ReservationEntry(rest, base) else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: rest[entry.bytes.count...])
        return entry
    }
}
