import EligibilityRules
import GRDB
public import OfferStore

/// Scans the customers in SQLite, in the order of the table.
public struct SQLiteCustomerScan: CustomerScan {
    private let store: SQLiteStore
    private let hash: SipHash

    /// Works on this open file.
    public init(_ file: SQLiteHistoryFile) {
        store = file.store
        hash = file.customerHash
    }

    /// Scans all rows.
    public func customerCount(partition: AppPartition) async throws(StoreError) -> Int {
        try await store.scan("count the customers") { database in
            guard let app = try AppNumbers.existing(partition, database) else { return 0 }
            let sql = "SELECT count(*) FROM customer WHERE app = ? AND alias_of IS NULL"
            return try Int.fetchOne(database, sql: sql, arguments: [app])!
        }
    }

    /// Finds rows by the primary key. Whole purchases cost some more look-ups for each customer.
    public func customers(
        partition: AppPartition,
        in places: ClosedRange<Int64>,
        limit: Int,
        whole: Bool
    ) async throws(StoreError) -> [PlacedCustomer] {
        try await store.scan("go through the customers") { [hash] database in
            guard let app = try AppNumbers.existing(partition, database) else { return [] }
            let reading = whole ? try HistoryReading(database, .whole, hash) : nil
            return try Self.rows(places, app, limit, database).map { row in
                guard let reading else { return row }
                let query = HistoryQuery(partition: partition, customerID: row.customerID)
                return PlacedCustomer(
                    place: row.place, customerID: row.customerID,
                    record: HistoryRecord(try reading.history(of: query, app: app)))
            }
        }
    }

    private static func rows(
        _ places: ClosedRange<Int64>,
        _ app: Int64,
        _ limit: Int,
        _ database: Database
    ) throws -> [PlacedCustomer] {
        let select = try PreparedStatement(
            database,
            """
            SELECT id, customer_id, supplied_at, complete_at, subscriptions, account_subscriptions FROM customer
            WHERE id BETWEEN ? AND ? AND app = ? AND alias_of IS NULL ORDER BY id LIMIT ?
            """)
        defer { select.reset() }
        select.bind(places.lowerBound, at: 1)
        select.bind(places.upperBound, at: 2)
        select.bind(app, at: 3)
        select.bind(Int64(limit), at: 4)
        func instant(_ column: Int32) -> Instant? {
            select.isNull(column) ? nil : Instant(milliseconds: select.number(column))
        }
        var customers: [PlacedCustomer] = []
        while try select.step() {
            let name = select.text(1)
            let account = select.isNull(5) ? [] : select.withBytes(5) { Array($0) }
            let record = HistoryRecord(
                .customer(
                    CustomerTimes(suppliedAt: instant(2), completeAt: instant(3)), name: name,
                    bytes: select.withBytes(4) { Array($0) }, account: account))
            customers.append(PlacedCustomer(place: select.number(0), customerID: name, record: record))
        }
        return customers
    }
}
