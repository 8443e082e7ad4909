import TestRandomness
import Testing

@testable import OfferStoreSQLite

@Suite("Rows by hashed names")
struct RowTableTests {
    @Test("Finds what a dictionary finds, also where many names would stand in the same place", arguments: 0..<20)
    func equalsDictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // So few low bits that they crowd together.
        let mask: UInt64 = seed.isMultiple(of: 2) ? .max : ~0xFF | UInt64(random.below(256))
        var (table, known) = (RowTable(), [Int64: Int64]())
        #expect(table[1] == nil)
        for row in 1...3_000 as ClosedRange<Int64> {
            let name = Int64(bitPattern: random.next() & mask) >> (row.isMultiple(of: 3) ? 40 : 0)
            #expect(table.insert(row, under: name) == known[name])
            if known[name] == nil { known[name] = row }
        }
        #expect(known.allSatisfy { table[$0] == $1 })
        for _ in 0..<3_000 {
            let name = Int64(bitPattern: random.next() & mask)
            #expect(table[name] == known[name])
        }
    }
}
