import FoundationEssentials
import GRDB
import OfferStore

/// Replaces units by pseudonyms, in the rows found beside the writer and in those added meanwhile.
struct ExposureErasure: Sendable {
    /// Units, each with the rows that name it.
    typealias Found = [String: [Int64]]

    private let ids: Set<String>
    private let bundleID: String

    /// - Parameter bundleID: the app, in all of its environments.
    init(_ ids: Set<String>, bundleID: String) {
        self.ids = ids
        self.bundleID = bundleID
    }

    /// The range of the table's row numbers.
    static func bounds(_ database: Database) throws -> Range<Int64> {
        let ends = try Row.fetchOne(database, sql: "SELECT min(id), max(id) FROM exposure")!
        let first = (ends[0] as Int64?) ?? 0
        return first..<max(first, ((ends[1] as Int64?) ?? -1) + 1)
    }

    /// The units found among some rows.
    func found(in rows: Range<Int64>, _ database: Database) throws -> Found {
        let names = AppPartition.environments(of: bundleID).map(\.name)
        let statement = try database.cachedStatement(
            sql: """
                SELECT unit, id FROM exposure WHERE id >= ? AND id < ? AND unit IN (SELECT value FROM json_each(?))
                AND arm IN (SELECT number FROM exposure_arm WHERE bundle_id IN (\(names.placeholders)))
                """)
        let list = try ids.sorted().json
        let arguments: StatementArguments = [rows.lowerBound, rows.upperBound, list]
        var found: Found = [:]
        for row in try Row.fetchAll(statement, arguments: arguments + StatementArguments(names)) {
            found[row[0], default: []].append(row[1])
        }
        return found
    }

    /// Replaces each unit by a random pseudonym, the same in all of its rows, so that counts do not change.
    func replace(_ found: Found, _ database: Database) throws {
        let update = try database.cachedStatement(sql: "UPDATE exposure SET unit = ? WHERE id = ?")
        for rows in found.values {
            let pseudonym = try String.fetchOne(database, sql: "SELECT 'erased-' || lower(hex(randomblob(16)))")!
            for row in rows { try update.execute(arguments: [pseudonym, row]) }
        }
    }
}
