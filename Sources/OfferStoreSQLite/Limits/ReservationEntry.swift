import EligibilityRules
import FoundationEssentials
import OfferStore

/// A signature that counts for limits, in place in a row of the table `reservation`.
///
/// A row begins with the number and the end (ms) of its first signature, 8 bytes each. Then follow the signatures.
///
/// Each has the differences of its number and end from the first, 4 bytes each, and the number of names, 4 bytes. Then follow the
/// number of totals and a bit for each total whether it is held, 2 bytes each; then names and totals. Numbers are in native byte
/// order.
struct ReservationEntry {
    static let headLength = 16
    /// Length of a row's head.
    static let baseLength = 16

    private let base: (number: Int64, until: Int64)
    let bytes: UnsafeRawBufferPointer

    /// Returns nil if the bytes end too early.
    fileprivate init?(_ rest: UnsafeRawBufferPointer, _ base: (number: Int64, until: Int64)) {
        guard rest.count >= Self.headLength else { return nil }
        let length = Self.length(rest)
        guard rest.count >= length else { return nil }
        self.base = base
        bytes = UnsafeRawBufferPointer(rebasing: rest[..<length])
    }

    /// The signature with a number in a row.
    static func find(_ number: Int64, in row: UnsafeRawBufferPointer) -> ReservationEntry? {
        ReservationEntries(row).first { $0.number == number }
    }

    /// The signature's number. Later signatures have higher numbers.
    var number: Int64 { base.number + Int64(bytes.loadUnaligned(as: UInt32.self)) }
    /// When the signature stops counting.
    var until: Instant { Instant(milliseconds: base.until + Int64(bytes.loadUnaligned(fromByteOffset: 4, as: Int32.self))) }
    /// The names that the signature counts under.
    var names: LimitNames { words(Self.headLength, nameCount) }
    /// The totals that a redemption of it counts for.
    var totals: LimitNames { words(Self.headLength + 8 * nameCount, totalCount) }
    /// The totals in which it holds its customer's place.
    var held: [LimitKey] {
        let bits = bytes.loadUnaligned(fromByteOffset: 14, as: UInt16.self)
        if bits == 0 { return [] }
        return (0..<totalCount).filter { bits & 1 << UInt16($0) != 0 }.map {
            LimitKey(word(Self.headLength + 8 * (nameCount + $0)))
        }
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
    }

    private func words(_ offset: Int, _ count: Int) -> LimitNames {
        LimitNames(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 8 * count]))
    }

    private func word(_ offset: Int) -> Int64 { bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self) }
}

/// The signatures of a row, in order.
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
