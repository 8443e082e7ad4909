import Synchronization

/// Sums over the rows of a table, in blocks, backwards from its end.
///
/// Rows never change, and the file has one writer. Sums of full blocks are therefore cached, so that a busy day is read once.
final class RowBlocks<Sum: Sendable>: Sendable {
    private let rowsPerBlock: Int64
    /// Sums of full blocks, by block number.
    private let sums = Mutex<[Int64: Sum]>([:])

    init(rowsPerBlock: Int64 = 4096) { self.rowsPerBlock = rowsPerBlock }

    /// Visits the blocks, the last one first, until the blocks before are not needed.
    ///
    /// - Parameters:
    ///   - end: the last row.
    ///   - maxReads: maximum number of blocks to read. Cached blocks do not count.
    ///   - read: adds up a range of rows. Missing ids count as nothing.
    ///   - isEnough: returns whether blocks before this one are not needed.
    /// - Returns: whether all needed blocks were visited.
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
