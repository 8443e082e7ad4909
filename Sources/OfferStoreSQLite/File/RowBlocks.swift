import Synchronization

/// Sums over the rows of a table, a block of them at a time, backwards from its end.
///
/// Rows never change, and this file has one writer: the sums of blocks that are full are remembered, so that a busy day is read once.
final class RowBlocks<Sum: Sendable>: Sendable {
    private let rowsPerBlock: Int64
    /// By number, of blocks that are full.
    private let sums = Mutex<[Int64: Sum]>([:])

    init(rowsPerBlock: Int64 = 4096) { self.rowsPerBlock = rowsPerBlock }

    /// Goes through the blocks, the last one first, until one of them is enough.
    ///
    /// - Parameters:
    ///   - end: the last row.
    ///   - maxReads: how many blocks may be read; those that are remembered are not.
    ///   - read: adds up some rows; ids that are not there count for nothing.
    ///   - isEnough: takes a sum and says whether those before it do not matter.
    /// - Returns: whether nothing was left out.
    func walk(
        backFrom end: Int64,
        maxReads: Int = .max,
        read: (Range<Int64>) throws -> Sum,
        isEnough: (Sum, Range<Int64>) throws -> Bool
    ) rethrows -> Bool {
        let known = sums.withLock { $0 }
        var kept: [Int64: Sum] = [:]
        defer { sums.withLock { [kept] in $0 = kept } }
        var reads = 0
        for number in stride(from: end / rowsPerBlock, through: 0, by: -1) {
            let rows = number * rowsPerBlock..<(number + 1) * rowsPerBlock
            guard let sum = try known[number] ?? (reads < maxReads ? read(rows) : nil) else { return false }
            if known[number] == nil { reads += 1 }
            if rows.upperBound <= end + 1 { kept[number] = sum }
            if try isEnough(sum, rows) { break }
        }
        return true
    }
}
