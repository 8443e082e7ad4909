import EligibilityRules
package import OfferStore

/// Finds the customers who have asked for offers lately.
///
/// It reads what requests for offers have left in the store: exposures to campaigns, signatures and refusals. A customer whose
/// requests have left none of these is not found.
package struct AskingLook: Sendable {
    private static let page = 2000
    /// The maximum number of rows of one kind that are read.
    ///
    /// If an app has more of them, `AskingCustomers` covers fewer days.
    private static let maxRows = 300_000

    private let exposures: any ExposureStore
    private let audit: any AuditStore

    package init(exposures: any ExposureStore, audit: any AuditStore) {
        self.exposures = exposures
        self.audit = audit
    }

    /// Finds the customers. Throws a `StoreError`, or a `CancellationError` if the task is cancelled.
    func customers(of partition: AppPartition, now: Instant) async throws -> AskingCustomers {
        var found = AskingCustomers(now: now)
        try await read(into: &found) { before in
            try await exposures.latestExposures(partition: partition, before: before, limit: Self.page).map { id, exposure in
                (id, exposure.at, exposure.arm.unitKind == .customer ? exposure.unit : nil)
            }
        }
        for table in [AuditTable.signatures, .refusals] {
            let filter = AuditFilter(tables: [table], bundleID: partition.bundleID)
            try await read(into: &found) { before in
                try await audit.entries(table, filter, before: before, limit: Self.page).map { entry in
                    (entry.id, entry.event.at, entry.event.partition == partition ? entry.event.personal.customerID : nil)
                }
            }
        }
        return found
    }

    private func read(
        into found: inout AskingCustomers,
        _ page: (_ before: Int64?) async throws -> [(id: Int64, at: Instant, customer: String?)]
    ) async throws {
        var (before, rows) = (Int64?.none, 0)
        while true {
            try Task.checkCancellation()
            let more = try await page(before)
            for row in more {
                guard let customer = row.customer else { continue }
                guard found.note(customer, at: row.at) else { return }
            }
            guard more.count == Self.page, let last = more.last else { return }
            rows += more.count
            guard rows < Self.maxRows else { return found.truncate(at: last.at) }
            before = last.id
        }
    }
}
