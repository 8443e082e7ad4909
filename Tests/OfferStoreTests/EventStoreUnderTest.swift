import EligibilityRules
import Foundation
import OfferStore
import OfferStorePostgreSQL
import OfferStoreSQLite
import OfferStoreTesting

/// Every implementation that the contracts of collected events are run on.
enum EventStoreUnderTest: String, CaseIterable, Sendable {
    case sqlite, postgresql

    /// PostgreSQL where there is one to test with: scripts/swift-test starts it.
    static var allCases: [EventStoreUnderTest] { TestDatabase.isThere ? [.sqlite, .postgresql] : [.sqlite] }

    /// An empty store.
    func make() throws -> EventFixture {
        let folder = try TemporaryFolder()
        switch self {
        case .sqlite: return try EventFixture(sqlite: folder)
        case .postgresql:
            let address = try TestDatabase.newSchema()
            let store = try Store.postgresql(address, isStandbyRequired: false, audit: .testing, keepsEvents: true)
            return EventFixture(folder: folder, address: address, signing: store.signing, purchases: store.purchases)
        }
    }
}

/// A store whose rows make events.
struct EventFixture {
    /// Renders what a test can tell apart: the request or the action.
    static let render: EventStore.Render = { source in
        let name =
            switch source {
            case .signatures(let entry): "signed \(entry.request.id)"
            case .refusals(let refusals): "refused \(refusals.request.id)"
            case .change(let event): event.action
            case .purchase(let event): event.kind.rawValue
            }
        return [ServiceEvent.sample(name, of: nil, key: "one")]
    }

    static let all = [EventSubscription(endpoint: "shop", types: ["*"])]

    let folder: TemporaryFolder
    /// Of a database that other processes can use.
    let address: String?
    let signing: SigningStore
    let purchases: PurchaseStore

    /// Opens the files in a folder, as a process does.
    init(sqlite folder: TemporaryFolder) throws {
        let store = try Store.sqlite(
            signing: folder.path("store.sqlite"), purchases: folder.path("histories.sqlite"), audit: .testing, keepsEvents: true,
            now: { .testNow }, onWait: { _ in })
        self.init(folder: folder, address: nil, signing: store.signing, purchases: store.purchases)
    }

    init(folder: TemporaryFolder, address: String?, signing: SigningStore, purchases: PurchaseStore) {
        (self.folder, self.address, self.signing, self.purchases) = (folder, address, signing, purchases)
    }

    func collect(_ subscriptions: [EventSubscription] = all, limit: Int = 100, now: Instant = .hours(1)) async throws -> Int {
        try await signing.events.collect(limit: limit, for: subscriptions, now: now, Self.render)
    }

    /// The types of all events, in order.
    func types() async throws -> [String] {
        try await signing.events.deliveries(EventFilter(), before: nil, limit: 100_000).reversed().map(\.event.type)
    }

    func sign(_ request: String, _ signing: SigningStore? = nil, at time: Instant = .testNow) async throws {
        let entry = LedgerEntry.sample(nonce: UUID(), at: time.milliseconds)
        _ = try await (signing ?? self.signing).ledger.record(
            LedgerSubmission(
                LedgerEntry(
                    signedAt: time, partition: entry.partition, keyID: entry.keyID, form: entry.form,
                    request: LedgerRequest(id: request, caller: entry.request.caller, customerID: "a"),
                    signatures: entry.signatures)))
    }

    func refuse(_ request: String, at time: Instant = .testNow) async throws {
        _ = try await signing.ledger.record(
            LedgerSubmission(
                nil,
                refusals: LedgerRefusals(
                    refusedAt: time, partition: "com.example.app",
                    request: LedgerRequest(id: request, caller: "caller", customerID: "a"),
                    offers: [.init(productID: "p", offerID: "o", reason: "never-subscribed", evidence: nil)])))
    }

    func act(_ action: String, at time: Instant = .testNow) async throws {
        try await signing.audit.record([AuditEvent(at: time, actor: "x", action: action)])
    }

    func buy(_ id: String, of customer: String? = "a", at time: Instant = .testNow) async throws {
        _ = try await purchases.histories.apply(.sample([.sample(id)], of: customer, at: time))
    }
}
