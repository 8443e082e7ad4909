import EligibilityRules
import FoundationEssentials
import GRDB
import OfferStore
import OfferStoreSQL

/// Erases the personal data of some ids from the log.
///
/// Searches beside the writer, a slice at a time, so that signatures do not wait.
struct AuditErasure: Sendable {
    private static let slice: Int64 = 50_000

    let store: SQLiteStore
    let audit: AuditWriter
    let ids: Set<String>
    let bundleID: String

    /// Erases the data, and returns how many rows were changed.
    ///
    /// The changes and the event share one transaction.
    func run(_ event: AuditEvent) async throws(StoreError) -> Int {
        var (found, ends): ([AuditTable: [Int64]], [AuditTable: Int64]) = ([:], [:])
        for table in AuditTable.allCases { (found[table], ends[table]) = try await look(through: table) }
        let (units, end) = try await lookThroughExposures()
        return try await store.write("erase what is personal") { [self, found, ends, units] database in
            try database.overwriting {
                let count = try erase(found, ends, database)
                let exposures = ExposureErasure(ids, bundleID: bundleID)
                try exposures.replace(
                    units.merging(exposures.found(in: end..<Int64.max, database), uniquingKeysWith: +), database)
                let changes = try NameErasure(ids, bundleID: bundleID).run(event, audit.functions, database)
                try audit.record(changes + [event], database)
                return count
            }
        }
    }

    private func erase(_ found: [AuditTable: [Int64]], _ ends: [AuditTable: Int64], _ database: Database) throws -> Int {
        var count = 0
        for table in AuditTable.allCases {
            // Rows that were added during the search.
            let late = try table.numbers(naming: ids, bundleID: bundleID, ends[table]!..<Int64.max, database)
            for row in found[table]! + late where try exists(row, in: table, database) {
                try audit.erase(row: row, of: table, database)
                count += 1
            }
        }
        return count
    }

    /// The rows that name one of the ids, and the first row that was not searched.
    private func look(through table: AuditTable) async throws(StoreError) -> (rows: [Int64], end: Int64) {
        let purpose = "look for what is personal"
        let (first, end) = try await store.scan(purpose) { database in
            let ends = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM \(table.rawValue)")!
            return ((ends[0] as Int64?) ?? 0, ((ends[1] as Int64?) ?? -1) + 1)
        }
        var rows: [Int64] = []
        var start = first
        while start < end {
            let part = start..<min(end, start + Self.slice)
            rows += try await store.scan(purpose) { [self] in
                try table.numbers(naming: ids, bundleID: bundleID, part, $0)
            }
            start = part.upperBound
        }
        return (rows, end)
    }

    /// The units that equal one of the ids, and the first row that was not searched.
    private func lookThroughExposures() async throws(StoreError) -> (units: ExposureErasure.Found, end: Int64) {
        let (purpose, erasure) = ("look for what is personal", ExposureErasure(ids, bundleID: bundleID))
        let bounds = try await store.scan(purpose) { try ExposureErasure.bounds($0) }
        var units: ExposureErasure.Found = [:]
        var start = bounds.lowerBound
        while start < bounds.upperBound {
            let part = start..<min(bounds.upperBound, start + Self.slice)
            units.merge(try await store.scan(purpose) { try erasure.found(in: part, $0) }, uniquingKeysWith: +)
            start = part.upperBound
        }
        return (units, bounds.upperBound)
    }

    // Retention may have removed the row meanwhile.
    private func exists(_ row: Int64, in table: AuditTable, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(table.rawValue) WHERE id = ?)"), arguments: [row])!
    }
}
