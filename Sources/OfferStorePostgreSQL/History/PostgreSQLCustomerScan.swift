public import OfferStore
import OfferStoreSQL

/// Scans the customers in PostgreSQL, with the index on places.
public struct PostgreSQLCustomerScan: CustomerScan {
    private let store: PostgreSQLStore

    /// Shares the store's readers with the other stores.
    public init(_ store: PostgreSQLStore) { self.store = store }

    /// Counts through the index.
    public func customerCount(partition: AppPartition) async throws(StoreError) -> Int {
        try await store.scan("count customers") { transaction in
            guard let app = try transaction.number(of: partition) else { return 0 }
            return try transaction.run("SELECT count(*) FROM customer WHERE app = $1 AND alias_of IS NULL", .number(app))
                .first { Int($0.number(0)) }!
        }
    }

    /// Returns slightly more than `limit` if several customers share the last place.
    public func customers(
        partition: AppPartition,
        in places: ClosedRange<Int64>,
        limit: Int,
        whole: Bool
    ) async throws(StoreError) -> [PlacedCustomer] {
        try await store.scan("go through the customers") { transaction in
            guard let app = try transaction.number(of: partition) else { return [] }
            let rows = try transaction.run(
                """
                SELECT place, customer_id FROM customer WHERE app = $1 AND alias_of IS NULL AND place BETWEEN $2 AND $3
                ORDER BY place FETCH FIRST $4 ROWS WITH TIES
                """, .number(app), .number(places.lowerBound), .number(places.upperBound), .number(Int64(limit)))
            let found = rows.map { (place: $0.number(0), customerID: $0.text(1)) }
            let queries = found.map { HistoryQuery(partition: partition, customerID: $0.customerID, isWhole: whole) }
            let records = try HistoryReading(transaction).records(of: queries)
            return zip(found, records).map { PlacedCustomer(place: $0.place, customerID: $0.customerID, record: $1) }
        }
    }
}
