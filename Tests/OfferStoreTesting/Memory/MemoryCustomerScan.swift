import EligibilityRules
package import OfferStore

/// Goes through customers that are forgotten with the process.
package struct MemoryCustomerScan: CustomerScan {
    private let file: MemoryHistoryFile

    /// What is in the file.
    package init(_ file: MemoryHistoryFile) { self.file = file }

    package func customerCount(partition: AppPartition) async throws(StoreError) -> Int {
        file.withRows { rows in rows.existing(partition).map { rows.customerNames($0).count } ?? 0 }
    }

    package func customers(
        partition: AppPartition,
        in places: ClosedRange<Int64>,
        limit: Int,
        whole: Bool
    ) async throws(StoreError) -> [PlacedCustomer] {
        let names = file.withRows { rows in rows.existing(partition).map(rows.customerNames) ?? [] }
        let store = MemoryHistoryStore(file)
        var found: [PlacedCustomer] = []
        for (place, name) in names.enumerated() where places.contains(Int64(place)) && found.count < limit {
            let query = HistoryQuery(partition: partition, customerID: name)
            let history = whole ? try await store.wholeHistory(of: query) : try await store.find(query)
            found.append(PlacedCustomer(place: Int64(place), customerID: name, record: HistoryRecord(history)))
        }
        return found
    }
}
