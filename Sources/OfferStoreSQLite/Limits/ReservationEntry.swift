import EligibilityRules
import FoundationEssentials

/// A signature that counts for limits, where it lies in a row of the table `reservation`.
///
/// One after the other in a row: number, end and nonce, the numbers of names, of totals and of bytes that are kept, four bytes each,
/// and then these. Numbers are in the order of the machine.
struct ReservationEntry {
    static let headLength = 44

    /// All of it.
    let bytes: UnsafeRawBufferPointer

    /// Nil where the bytes end too early.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headLength else { return nil }
        let length = [32, 36, 40].reduce(Self.headLength) { length, offset in
            length + Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) * (offset == 40 ? 1 : 8)
        }
        guard bytes.count >= length else { return nil }
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<length])
    }

    /// The one with a number in a row.
    static func find(_ number: Int64, in row: UnsafeRawBufferPointer) -> ReservationEntry? {
        ReservationEntries(row).first { $0.number == number }
    }

    /// Later ones have higher numbers.
    var number: Int64 { word(0) }
    /// Until then it counts.
    var until: Instant { Instant(milliseconds: word(8)) }
    /// Of the signature.
    var nonce: UUID { UUID(uuid: bytes.loadUnaligned(fromByteOffset: 16, as: uuid_t.self)) }
    /// The names it counts under.
    var names: ReservationNames { words(Self.headLength, nameCount) }
    /// The totals it counts for.
    var totals: ReservationNames { words(Self.headLength + 8 * nameCount, totalCount) }
    /// What comes again, after the keeper; empty where nothing does.
    var kept: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[(Self.headLength + 8 * (nameCount + totalCount))...])
    }

    func counts(under name: Int64) -> Bool { (0..<nameCount).contains { word(Self.headLength + 8 * $0) == name } }

    private var nameCount: Int { Int(bytes.loadUnaligned(fromByteOffset: 32, as: UInt32.self)) }
    private var totalCount: Int { Int(bytes.loadUnaligned(fromByteOffset: 36, as: UInt32.self)) }

    private func words(_ offset: Int, _ count: Int) -> ReservationNames {
        ReservationNames(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 8 * count]))
    }

    private func word(_ offset: Int) -> Int64 { bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self) }
}

/// Those of a row, the first first.
struct ReservationEntries: Sequence, IteratorProtocol {
    private var rest: UnsafeRawBufferPointer

    init(_ row: UnsafeRawBufferPointer) { rest = row }

    mutating func next() -> ReservationEntry? {
        guard let entry = ReservationEntry(rest) else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: rest[entry.bytes.count...])
        return entry
    }
}
