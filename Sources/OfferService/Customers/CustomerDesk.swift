package import EligibilityRules
import FoundationEssentials
package import OfferStore
import WireText

/// The use cases about one customer: facts, timeline, export and erasure. They know nothing of HTTP.
package struct CustomerDesk: Sendable {
    private static let hour: Int64 = 3_600_000
    /// So many rows of the ledger can be searched in about the time of an ordinary request.
    private static let rowsPerRequest: Int64 = 10_000

    /// The thread that searches the ledger. Its low priority keeps a search from delaying signatures.
    let executor = BoundedExecutor(threads: 1, limit: 8, niceness: 10, refusal: CustomerError.busy)
    let histories: any HistoryStore
    let redemptions: any RedemptionStore
    private let receipts: any ReceiptStore
    private let refunds: any RefundStore
    let ledger: any Ledger
    let rows: any AuditStore
    private let events: any EventStore
    let exposures: any ExposureStore
    let campaigns: any CampaignStore
    private let audit: AuditLog
    private let system: SystemEnvironment
    /// How long signatures and refusals are kept, in ms of time served.
    private let retention: Int64

    /// - Parameter retentionHours: how long signatures and refusals are kept, in hours of time served.
    package init(store: Store, audit: AuditLog, retentionHours: Int64, system: SystemEnvironment) {
        histories = store.purchases.histories
        redemptions = store.redemptions
        receipts = store.purchases.receipts
        refunds = store.purchases.refunds
        ledger = store.signing.ledger
        rows = store.signing.audit
        events = store.signing.events
        exposures = store.signing.marketing.exposures
        campaigns = store.signing.marketing.campaigns
        self.audit = audit
        self.system = system
        retention = retentionHours * Self.hour
    }

    /// The facts that are known about a customer now. Throws `unknown` if no purchase was ever supplied or bound.
    package func facts(of customerID: String, _ app: App) async throws -> CustomerFacts {
        guard let stored = try await stored(customerID, app) else { throw CustomerError.unknown(bundleID: app.bundleID) }
        return try await facts(of: stored, aliases: aliases(of: customerID, app.partition), app, at: system.now())
    }

    /// How many ordinary requests a search through the ledger counts for, when it is charged to the caller's rate.
    ///
    /// - Parameter latestOnly: whether only the latest rows are searched, as for a timeline.
    package func price(latestOnly: Bool) async throws -> Int64 {
        var rows: Int64 = 0
        for table in latestOnly ? [AuditTable.signatures, .refusals] : AuditTable.allCases {
            rows += try await self.rows.slices(of: table, latest: latestOnly ? CustomerRows.recentRows : nil).maxRows
        }
        return 1 + rows / Self.rowsPerRequest
    }

    /// The events of a customer, the oldest first.
    ///
    /// A signature that was never redeemed is included only if it is among the latest rows of the ledger.
    package func timeline(of customerID: String, _ app: App) async throws -> CustomerTimeline {
        try await executor.run { try await wholeTimeline(of: customerID, app) }
    }

    private func wholeTimeline(of customerID: String, _ app: App) async throws -> CustomerTimeline {
        let (now, stored) = (system.now(), try await stored(customerID, app))
        let scanned = try await CustomerRows(self, naming: self.ids(of: customerID, stored, app.partition), app.partition)
            .recent()
        guard stored != nil || !scanned.isEmpty else { throw CustomerError.unknown(bundleID: app.bundleID) }
        var timeline = CustomerTimeline(now: now, signaturesSince: scanned.since)
        for chain in stored?.history.chains ?? [] {
            timeline.add(chain)
            let notifications = try await histories.notifications(
                partition: app.partition, originalTransactionID: chain.originalID)
            for notification in notifications { timeline.add(notification, of: chain) }
        }
        let redeemed = try await redeemedNonces(stored?.history.chains ?? [], app)
        let known = Set(scanned.entries.flatMap(\.signatures).map(\.nonce))
        let older = try await ledger.entries(of: redeemed.keys.filter { !known.contains($0) })
        for entry in scanned.entries { timeline.add(entry, redeemedBy: redeemed) }
        for entry in older { timeline.add(entry, redeemedBy: redeemed, onlyRedeemed: true) }
        for refusals in scanned.refusals { timeline.add(refusals) }
        return timeline.inOrder
    }

    /// All data stored about a customer, to be written piece by piece. The audit log records the export before any of it is
    /// written.
    package func export(of customerID: String, _ app: App, by origin: Origin) async throws -> CustomerExport {
        let (now, stored) = (system.now(), try await stored(customerID, app))
        let named = try await CustomerRows(self, naming: self.ids(of: customerID, stored, app.partition), app.partition)
        let names = try await aliases(of: customerID, app.partition) + [customerID]
        let consent = try await refunds.consent(of: names, partition: app.partition)
        if stored == nil, consent == nil, try await !executor.run(named.exist) {
            throw CustomerError.unknown(bundleID: app.bundleID)
        }
        try await audit.record(.exportCustomer, by: origin, partition: app.partition, customerID: customerID)
        var facts: CustomerFacts?
        if let stored {
            facts = try await self.facts(of: stored, aliases: aliases(of: customerID, app.partition), app, at: now)
        }
        return CustomerExport(
            customerID: customerID, app: app, exportedAt: now, facts: facts, rows: named, histories: histories,
            consent: consent)
    }

    /// Removes a customer's names from everything that is stored for an app, in every environment.
    ///
    /// The ledger comes before the purchases. If it were the other way round, nothing would show any more which of its rows are
    /// the customer's. If an erasure was interrupted, the caller completes it with another request.
    package func erase(_ customerID: String, _ app: App, by origin: Origin) async throws -> CustomerErasure {
        try await executor.run { try await eraseAll(of: customerID, app, by: origin) }
    }

    private func eraseAll(of customerID: String, _ app: App, by origin: Origin) async throws -> CustomerErasure {
        let now = system.now()
        // This includes environments that the app no longer accepts.
        let partitions = AppPartition.environments(of: app.bundleID)
        var (ids, isKnown): (Set<String>, Bool) = ([customerID], false)
        for partition in partitions {
            let stored = try await histories.wholeHistory(of: HistoryQuery(partition: partition, customerID: customerID))
            ids.formUnion(try await self.ids(of: customerID, stored, partition))
            if stored.isKnown { isKnown = true }
        }
        for partition in partitions where !isKnown {
            // A backend may state a consent before the customer buys anything.
            isKnown = try await refunds.consent(of: Array(ids), partition: partition) != nil
            if !isKnown { isKnown = try await CustomerRows(self, naming: ids, partition).exist() }
        }
        guard isKnown else { throw CustomerError.unknown(bundleID: app.bundleID) }
        var erasure = CustomerErasure(
            erasedAt: now, ledgerUntil: now.advanced(by: retention), answersUntil: now.advanced(by: 25 * Self.hour))
        // The ledger comes before the histories. If the histories were erased first and then the ledger failed, a second attempt
        // would not find the ids.
        erasure.ledgerRows = try await eraseNames(ids, bundleID: app.bundleID, by: origin).rows
        var late: Set<String> = []
        for partition in partitions {
            let erased = try await histories.erase(customerID: customerID, partition: partition, now: now)
            erasure.purchases += erased.chains
            erasure.notifications += erased.notifications
            // These ids were bound in the meantime, or belong to unbound purchases with the customer's token.
            late.formUnion(erased.ids.subtracting(ids))
        }
        if !late.isEmpty { erasure.ledgerRows += try await eraseNames(late, bundleID: app.bundleID, by: origin).rows }
        // Requests that began before the histories were erased may have left more events and receipts since.
        _ = try await forget(ids, bundleID: app.bundleID)
        return erasure
    }

    /// Removes ids from the signatures, refusals and events of an app, and removes the receipts that they name, in every
    /// environment.
    ///
    /// Returns how many rows have lost a name, and how many receipts were removed. The app need no longer be configured.
    package func eraseNames(
        _ ids: Set<String>,
        bundleID: String,
        by origin: Origin
    ) async throws -> (rows: Int, receipts: Int) {
        // The event leaves out the address of the request, because that may be the customer's own.
        let event = Origin(actor: origin.actor, requestID: origin.requestID).event(
            .eraseCustomer, at: system.now(), partition: AppPartition(bundleID: bundleID), object: AuditObject("\(ids.count) ids")
        )
        let erased = try await rows.erase(ids, bundleID: bundleID, audit: event)
        return (erased, try await forget(ids, bundleID: bundleID))
    }

    /// Removes events for endpoints, and receipts. Returns how many receipts were removed.
    private func forget(_ ids: Set<String>, bundleID: String) async throws -> Int {
        _ = try await events.erase(customerIDs: ids, bundleID: bundleID)
        var forgotten = 0
        for partition in AppPartition.environments(of: bundleID) {
            forgotten += try await receipts.forget(ids, partition: partition)
        }
        return forgotten
    }

    private func facts(
        of stored: StoredHistory,
        aliases: [String],
        _ app: App,
        at now: Instant
    ) async throws -> CustomerFacts {
        var facts = CustomerFacts(of: Customer(stored, of: app, now: now), historyUpdatedAt: stored.updatedAt)
        let promotional = facts.redemptions.filter { $0.offer.kind == .promotional }.map(\.transaction)
        let nonces = try await redemptions.nonces(redeemedBy: promotional, partition: app.partition)
        let entries = try await ledger.entries(of: Array(nonces.values))
        var usernames: Set<String> = []
        for (index, redemption) in facts.redemptions.enumerated() {
            guard let nonce = nonces[ExactText(redemption.transaction.id)],
                let entry = entries.first(where: { $0.signatures.contains { $0.nonce == nonce } })
            else { continue }
            facts.redemptions[index].signature = RedemptionFact.Signature(
                nonce: nonce.lowerCaseString, signedAt: entry.signedAt, keyID: entry.keyID)
            if let username = entry.request.applicationUsername, !username.isEmpty { usernames.insert(username) }
        }
        facts.links.applicationUsernames = usernames.sorted()
        facts.links.aliases = aliases
        return facts
    }

    /// All that is stored about a customer's purchases; nil if nothing is. Throws if it cannot be read.
    private func stored(_ customerID: String, _ app: App) async throws -> StoredHistory? {
        let stored = try await histories.wholeHistory(of: HistoryQuery(partition: app.partition, customerID: customerID))
        return stored.isKnown ? try stored.intact() : nil
    }

    private func redeemedNonces(_ chains: [PurchaseChain], _ app: App) async throws -> [UUID: String] {
        let redeemed = chains.flatMap(\.transactions).filter { $0.offer?.kind == .promotional }
        let nonces = try await redemptions.nonces(redeemedBy: redeemed, partition: app.partition)
        return Dictionary(nonces.map { ($1, $0.string) }) { first, _ in first }
    }

    /// All ids by which rows of the ledger may name the customer.
    private func ids(of customerID: String, _ stored: StoredHistory?, _ partition: AppPartition) async throws -> Set<String> {
        var ids = Set(try await aliases(of: customerID, partition) + [customerID])
        for chain in stored?.history.chains ?? [] { ids.formUnion(ErasedHistory.ids(of: chain)) }
        return ids
    }

    private func aliases(of customerID: String, _ partition: AppPartition) async throws -> [String] {
        try await histories.aliases(of: customerID, partition: partition)
    }
}

extension StoredHistory {
    /// Whether any purchase was supplied or bound.
    fileprivate var isKnown: Bool { isSupplied || !history.isEmpty || isDamaged }
}
