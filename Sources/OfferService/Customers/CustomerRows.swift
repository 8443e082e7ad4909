import EligibilityRules
import OfferStore

/// The rows of the ledger that name a customer.
///
/// The ledger has no index of customers, because it would slow down every signature. Therefore the rows are searched, a slice at
/// a time.
struct CustomerRows: Sendable {
    /// How many of the latest rows are searched while a caller waits for the answer.
    static let recentRows: Int64 = 100_000

    /// What was found in the latest rows.
    struct Recent {
        var entries: [LedgerEntry] = []
        var refusals: [LedgerRefusals] = []
        /// The instant before which signatures were not searched; nil if all were searched.
        var since: Instant?

        var isEmpty: Bool { entries.isEmpty && refusals.isEmpty }
    }

    private let desk: CustomerDesk
    private let ids: Set<String>
    private let partition: AppPartition

    /// - Parameters:
    ///   - ids: the ids of the customer, the customer's transaction ids, and the account tokens.
    ///   - partition: the app's partition in an environment.
    init(_ desk: CustomerDesk, naming ids: Set<String>, _ partition: AppPartition) {
        self.desk = desk
        self.ids = ids
        self.partition = partition
    }

    /// The rows that name the customer among the latest rows.
    func recent() async throws -> Recent {
        var recent = Recent()
        let signed = try await desk.rows.slices(of: .signatures, latest: Self.recentRows)
        recent.since = signed.since
        for slice in signed.slices { recent.entries += try await entries(in: slice) }
        try Task.checkCancellation()
        for slice in try await desk.rows.slices(of: .refusals, latest: Self.recentRows).slices {
            recent.refusals += try await refusals(in: slice)
        }
        return recent
    }

    /// Whether the customer has any exposure, signature or refusal, or has ever been a tester.
    func exist() async throws -> Bool {
        if try await !exposures(after: 0, limit: 1).isEmpty { return true }
        if try await !testers().isEmpty { return true }
        if try await !rehearsals().isEmpty { return true }
        for slice in try await slices(of: .refusals) {
            try Task.checkCancellation()
            let found = try await refusals(in: slice)
            if !found.isEmpty { return true }
        }
        for slice in try await slices(of: .signatures) {
            try Task.checkCancellation()
            let found = try await entries(in: slice)
            if !found.isEmpty { return true }
        }
        return false
    }

    /// All rows of a table in slices, the oldest first.
    func slices(of table: AuditTable) async throws(StoreError) -> [AuditSlice] {
        try await desk.rows.slices(of: table, latest: nil).slices
    }

    /// The customer's exposures to campaigns, in rows after this one.
    func exposures(after id: Int64, limit: Int = 1000) async throws(StoreError) -> [ExposureStore.Numbered] {
        try await desk.exposures.exposures(ofUnits: ids, partition: partition, after: id, limit: limit)
    }

    /// The holds that campaigns of exclusion groups have on the customer.
    func holds() async throws(StoreError) -> [ExclusionHold] {
        try await desk.exposures.holds(onUnits: ids, partition: partition)
    }

    /// The campaigns of the app of which the customer is a tester.
    func testers() async throws(StoreError) -> [CampaignStore.NamedTester] {
        try await desk.campaigns.testers(withIDs: ids, bundleID: partition.bundleID)
    }

    /// What the customer has met as a tester.
    func rehearsals() async throws(StoreError) -> [Exposure] {
        try await desk.exposures.rehearsals(ofUnits: ids, partition: partition)
    }

    /// The signatures in a slice that name the customer.
    func entries(in slice: AuditSlice) async throws(StoreError) -> [LedgerEntry] {
        try await desk.ledger.entries(naming: ids, partition: partition, in: slice)
    }

    /// The refusals in a slice that name the customer.
    func refusals(in slice: AuditSlice) async throws(StoreError) -> [LedgerRefusals] {
        try await desk.ledger.refusals(naming: ids, partition: partition, in: slice)
    }

    /// The events in a slice that name the customer.
    func events(in slice: AuditSlice) async throws(StoreError) -> [AuditEvent] {
        try await desk.rows.events(naming: ids, partition: partition, in: slice)
    }
}
