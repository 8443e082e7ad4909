import EligibilityRules
import OfferSigning
package import OfferStore

/// The use cases of the audit log: record, read, show its head, verify.
///
/// Signatures, refusals, decisions about keys and changes of access are recorded by their own use cases, together with the rows
/// that they write. `record` is for events that have no other row.
package struct AuditLog: Sendable {
    private let store: any AuditStore
    private let keys: AuditKeyFolder
    private let system: SystemEnvironment

    /// - Parameter keys: the keys whose seals are trusted.
    package init(store: any AuditStore, keys: AuditKeyFolder, system: SystemEnvironment) {
        self.store = store
        self.keys = keys
        self.system = system
    }

    /// Records a sign-in to the console. The event is durable when this returns.
    package func recordSignIn(_ how: String, by origin: Origin) async throws(StoreError) {
        try await record(.signIn, by: origin, object: AuditObject(origin.actor, after: how))
    }

    /// Records an action. The event is durable when this returns.
    package func record(
        _ action: AuditAction,
        by origin: Origin,
        partition: AppPartition? = nil,
        object: AuditObject = .none,
        reason: String? = nil,
        customerID: String? = nil,
        transactionID: String? = nil
    ) async throws(StoreError) {
        try await store.record([
            origin.event(
                action, at: system.now(), partition: partition, object: object, reason: reason, customerID: customerID,
                transactionID: transactionID)
        ])
    }

    /// Records events that the caller has made.
    func record(_ events: [AuditEvent]) async throws(StoreError) { try await store.record(events) }

    /// Rows, the latest first.
    ///
    /// - Parameter after: where the previous page ended; nil to begin with the latest row.
    package func page(_ query: AuditQuery, limit: Int, after: AuditCursor? = nil) async throws(StoreError) -> AuditPage {
        let filter = query.filter
        var starts = after?.rows ?? AuditTable.allCases.map { _ in AuditCursor.none }
        var rest: [ArraySlice<AuditEntry>] = []
        for (index, table) in AuditTable.allCases.enumerated() {
            let last = starts[index] == AuditCursor.none ? nil : starts[index]
            let isWanted = filter.tables.contains(table)
            rest.append(isWanted ? try await store.entries(table, filter, before: last, limit: limit + 1)[...] : [])
        }
        var found: [AuditEntry] = []
        // The tables are merged by time, but each table keeps the store's order. Each row is therefore returned once, whatever
        // its time.
        while found.count < limit,
            let index = rest.indices.filter({ !rest[$0].isEmpty }).max(by: { isEarlier(rest[$0], rest[$1]) })
        {
            let entry = rest[index].removeFirst()
            starts[index] = entry.id
            found.append(entry)
        }
        var leftOut: Int64 = 0
        for table in [AuditTable.signatures, .refusals] where query.bundleID == nil && !filter.tables.contains(table) {
            leftOut += try await store.count(table, from: query.from, until: query.until)
        }
        return AuditPage(
            lines: found.map(AuditLine.init), next: rest.contains(where: { !$0.isEmpty }) ? AuditCursor(starts) : nil,
            leftOut: query.bundleID == nil ? leftOut : nil)
    }

    private func isEarlier(_ left: ArraySlice<AuditEntry>, _ right: ArraySlice<AuditEntry>) -> Bool {
        left.first!.event.at < right.first!.event.at
    }

    /// The name of this log, which is the first line of each of its seals.
    package var origin: String { store.origin }

    /// The latest seal, as a checkpoint that a witness may sign as well; nil if nothing is sealed.
    package func head() async throws(StoreError) -> String? { try await store.latestSeal() }

    /// Reads and verifies the whole log.
    ///
    /// - Parameters:
    ///   - publicKeys: the only keys to trust, together with keys that they certified; nil to trust those of the key folder.
    ///   - heads: seals that were kept elsewhere.
    package func verify(publicKeys: [[UInt8]]? = nil, heads: [KeptSeal] = []) async throws -> AuditVerdict {
        let start = ContinuousClock.now
        let trust = try publicKeys.map { AuditTrust.openSSL($0) } ?? keys.trust()
        let report = try await store.verify(trust, heads: heads)
        return AuditVerdict(
            report, at: system.now(), milliseconds: Int64((ContinuousClock.now - start) / .milliseconds(1)))
    }
}

extension AuditLine {
    fileprivate init(_ entry: AuditEntry) {
        let event = entry.event
        self.init(
            table: entry.table.rawValue, row: entry.id, at: event.at, actor: event.actor, action: event.action,
            bundleID: event.partition?.bundleID, environment: event.partition?.additionalEnvironment?.rawValue,
            subject: event.object.id, before: event.object.before, after: event.object.after, reason: event.reason,
            requestID: event.requestID, customerID: event.personal.customerID, transactionID: event.personal.transactionID,
            address: event.personal.address,
            link: entry.link.map { Crypto.hexadecimal($0.bytes) })
    }
}
