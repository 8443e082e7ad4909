import AppStore
import EligibilityRules
import Logging
import NIOCore
import OfferService
import OfferSigning
import OfferStore
import OfferStoreSQLite
import Synchronization

/// A real issuer on a real store with a real key, without the service around it.
final class IssuingDesk: Sendable {
    private let issuer: OfferIssuer
    private let app: App
    private let caller: Caller
    private let items: [SignatureRequest.Item]
    /// How many customers have subscribed, each named in turn; 0: requests name no customer.
    private let customers: Int
    private let number = Atomic(0)
    private let observer = RefusalCount()
    private let histories: any HistoryStore
    private let examination = BoundedExecutor(threads: 1, limit: 64, refusal: IssueError.notReady("full"))

    /// - Parameters:
    ///   - isLimited: whether the catalogue limits the offers; far beyond what is asked for.
    ///   - campaigns: how many are live, and choose the offers.
    init(
        key path: String, folder: String, offers: Int = 1, customers: Int = 0, isLimited: Bool = false, campaigns: Int = 0
    ) async throws {
        self.customers = customers
        let system = SystemEnvironment.live
        let store = try Store.sqlite(
            signing: "\(folder)/store.sqlite", purchases: "\(folder)/histories.sqlite", audit: .openSSL, now: system.now,
            onWait: { _ in })
        histories = store.purchases.histories
        let ids = (1...offers).map { "offer-\($0)" }
        let limits = OfferLimits(
            perCustomer: 1_000_000, per: CalendarPeriod("P1Y"), cooldown: CalendarPeriod("P1D"), notWhileActive: true,
            outstanding: 1_000_000)
        let offer = SubscriptionOffer(kind: .payAsYouGo, period: "P1M", limits: isLimited ? limits : nil)
        let product = SubscriptionProduct(
            id: "pro", groupID: "1", level: 1, period: "P1M", introductoryOffer: nil,
            promotionalOffers: Dictionary(uniqueKeysWithValues: ids.map { (ExactText($0), offer) }))
        app = App(
            identity: AppIdentity(bundleID: "com.example.app", appAppleID: nil, environment: .production),
            rules: AppRules(enforcement: .advise), policy: EligibilityPolicy(), catalogue: Catalogue(products: [product]))
        let ring = try KeyRing(
            entries: [KeyRing.Entry(key: SigningKey.example(path), state: .active, apps: nil)],
            bundleIDs: [app.bundleID])
        let live = LiveCampaigns(
            store: store.signing.marketing.campaigns, apps: AppDirectory([app]),
            failures: FailureLog(logger: Logger(label: "bench")) { preconditionFailure("\($0.reason)") })
        for number in 0..<campaigns {
            let record = CampaignRecord.live(.made(number, of: campaigns, offers: ids), at: system.now())
            _ = try await store.signing.marketing.campaigns.write(record, activity: [], audit: [])
        }
        try await live.follow(1)
        let verifier = SignedDataVerifier(roots: .appleRootCAG3) { system.now().milliseconds }
        issuer = OfferIssuer(
            keys: CurrentKeyRing(
                LoadedKeys(ring: ring), store: store.signing.credentials.keys, changes: store.signing.processes.changes,
                system: system,
                folder: CurrentKeyRing.Folder { _ in LoadedKeys(ring: ring) }),
            nonces: NonceDesk(seal: NonceSeal(key: try AuthenticationKey(secret: [1, 2, 3]), period: 60_000), system: system),
            clock: SigningClock(system: system, record: ClockRecord(), maxAhead: 3_600_000),
            ledger: store.signing.ledger,
            histories: HistoryLookup(
                intake: HistoryIntake(store: histories, reader: SignedDataReader(verifier: verifier), system: system), lapsed: nil
            ),
            observer: observer, rules: OfferRules(campaigns: live, limits: CatalogueLimits()))
        let access = AccessRecord(
            id: "bench", secretDigest: [], role: Role.backend.rawValue, apps: nil, note: "",
            lifetime: AccessLifetime(createdAt: system.now()))
        caller = Caller(access, rate: RateState())!
        items = ids.map {
            SignatureRequest.Item(
                productID: "pro", purpose: campaigns == 0 ? .promotionalOffer(offerID: $0) : .campaignOffer, nonce: nil)
        }
    }

    /// Stores a subscription that has ended for each customer, of an Apple account of its own.
    func admitCustomers() async throws {
        let now = SystemEnvironment.live.now()
        for first in stride(from: 0, to: customers, by: 500) {
            let changes = (first..<min(first + 500, customers)).map { change(of: $0, now) }
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                histories.apply(changes) { done.resume(with: $0.map { _ in }.mapError { $0 as any Error }) }
            }
        }
    }

    private func change(of number: Int, _ now: Instant) -> HistoryChange {
        let stamp = Stamp(asOf: now, source: .signedData)
        let start = now.advanced(by: -100 * 86_400_000)
        let period = PurchaseTransaction(
            id: "\(2_000_000_000 + number)", productID: "pro", purchasedAt: start,
            state: .init(expiry: Stamped(start.advanced(by: 30 * 86_400_000), stamp)))
        return HistoryChange(
            partition: app.partition, claim: CustomerClaim("u-\(number)", .vouched),
            chains: [
                PurchaseChain(
                    originalID: period.id, groupID: "1", account: .init(appTransactionID: "\(7_000_000_000 + number)"),
                    environment: .production, transactions: [period])
            ], receivedAt: now)
    }

    private static let occasion = OfferOccasion(
        placement: "paywall", attributes: Attributes(["country": "US", "appVersion": "2.10.1"]))

    private var request: SignatureRequest {
        let customer = customers == 0 ? nil : "u-\(number.add(1, ordering: .relaxed).newValue % customers)"
        return SignatureRequest(
            customer: CustomerReference(customerID: customer), applicationUsername: "u-123", form: .payload, items: items,
            occasion: Self.occasion)
    }

    /// An event loop's ways into the store.
    func lane(on loop: any EventLoop) -> StoreLane {
        StoreLane(eventLoop: loop, ledger: issuer.ledger, histories: histories, examination: examination)
    }

    /// Signs all offers once.
    func issue(on lane: StoreLane, reply: @escaping OfferIssuer.Reply) {
        issuer.issue(
            request, of: app, for: caller, from: Supplier(caller, requestID: "bench", address: "127.0.0.1"),
            idempotency: nil, lane: lane, render: { _ in [] }, reply: reply)
    }

    /// How many offers were refused: those cost other things than a signature.
    var refusals: Int { observer.count.load(ordering: .relaxed) }

    private final class RefusalCount: IssueObserver {
        let count = Atomic(0)

        func didSign(_: LedgerEntry) {}
        func didSign(against _: Verdict, partition _: AppPartition) {}
        func didAssign(_: [CampaignAssignment], partition _: AppPartition) {}
        func didRefuse(_: UnsignedOffer) { count.add(1, ordering: .relaxed) }
        func didFindUnneeded(_: UnsignedOffer) {}
    }
}
