import Testing

@testable import OfferStoreSQLite

@Suite("Sums of rows by blocks")
struct RowBlocksTests {
    /// Sums rows whose values are their ids, and notes which it reads.
    private final class Rows {
        var end: Int64 = 0
        var reads: [Range<Int64>] = []

        func sum(_ rows: Range<Int64>) -> [Int64] {
            reads.append(rows)
            return rows.filter { (1...max(1, end)).contains($0) && end > 0 }
        }
    }

    @Test("Whatever the size of blocks, every row counts once, however many come", arguments: [1, 2, 3, 7, 100] as [Int64])
    func everyRow(rowsPerBlock: Int64) {
        let (blocks, rows) = (RowBlocks<[Int64]>(rowsPerBlock: rowsPerBlock), Rows())
        for end in 1...12 as ClosedRange<Int64> {
            rows.end = end
            for first in [1, 4, end] as [Int64] {
                var found: [Int64] = []
                let isWhole = blocks.walk(backFrom: end, read: rows.sum) { sum, _ in
                    found += sum.filter { $0 >= first }
                    return !sum.contains { $0 >= first }
                }
                #expect(isWhole && found.sorted() == Array(min(first, end + 1)..<end + 1))
            }
        }
    }

    @Test("A look reads so many blocks at most and reaches further back each time; full blocks are read once")
    func bound() {
        let (blocks, rows) = (RowBlocks<[Int64]>(rowsPerBlock: 2), Rows())
        // Ids begin with 1: neither the first nor the last block is full.
        rows.end = 20
        func walk() -> (isWhole: Bool, found: Int) {
            var found = 0
            let isWhole = blocks.walk(backFrom: 20, maxReads: 4, read: rows.sum) { sum, _ in
                found += sum.count
                return false
            }
            return (isWhole, found)
        }
        #expect(walk() == (false, 7) && rows.reads.count == 4)
        // The last one is read again.
        #expect(walk() == (false, 13) && rows.reads.count == 8)
        #expect(walk() == (false, 19) && rows.reads.count == 12)
        #expect(walk() == (true, 20) && rows.reads.count == 14)
        #expect(walk() == (true, 20) && rows.reads.count == 15)
    }
}
