import OfferStore
import Synchronization

/// Counts offers in a table of the log, backwards from its end.
///
/// Rows never change, and lie in the order of time up to what a batch holds. Of every block of rows that is full the sum is kept in
/// memory, so that a look reads only what is new.
final class TableTally: Sendable {
    private let table: AuditTable
    private let store: any AuditStore
    private let rowsPerBlock: Int64
    private let maxBlocks: Int
    /// Sums of full blocks, by number.
    private let sums = Mutex<[Int64: AuditTally]>([:])

    /// - Parameter maxBlocks: how many blocks one look reads at most.
    init(of table: AuditTable, in store: any AuditStore, rowsPerBlock: Int64 = 4096, maxBlocks: Int = 64) {
        self.table = table
        self.store = store
        self.rowsPerBlock = rowsPerBlock
        self.maxBlocks = maxBlocks
    }

    /// What there was since a minute; in a busy table the first looks reach less far back, each further than the one before.
    ///
    /// Returns also the first minute of which everything is counted.
    func parts(since first: Int64) async throws(StoreError) -> (parts: [AuditTally.Part], since: Int64) {
        var parts: [AuditTally.Part] = []
        var since = first
        let known = sums.withLock { $0 }
        var kept: [Int64: AuditTally] = [:]
        var blocksRead = 0
        let end = try await store.lastRow(of: table) ?? -1
        var number = end / rowsPerBlock
        while number >= 0, end >= 0 {
            guard known[number] != nil || blocksRead < maxBlocks else {
                // Of its first minute a part may lie in the block that is not read.
                since = (parts.lazy.map(\.minute).min() ?? first) + 1
                break
            }
            let rows = number * rowsPerBlock..<(number + 1) * rowsPerBlock
            let sum: AuditTally
            if let before = known[number] {
                sum = before
            } else {
                sum = try await store.tally(table, rows: rows)
                blocksRead += 1
            }
            if rows.upperBound <= end + 1 { kept[number] = sum }
            guard let last = sum.lastMinute, last >= first else { break }
            parts += sum.parts.filter { $0.minute >= first }
            number -= 1
        }
        sums.withLock { [kept] in $0 = kept }
        return (parts, since)
    }
}
