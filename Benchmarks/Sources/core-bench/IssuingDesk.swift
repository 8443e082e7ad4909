import AppStore
import EligibilityRules
import NIOCore
import OfferService
import OfferSigning
import OfferStore
import OfferStoreSQLite

/// A real issuer on a real store with a real key, without the service around it.
struct IssuingDesk: Sendable {
    private let issuer: OfferIssuer
    private let app: App
    private let caller: Caller
    private let request: SignatureRequest
    private let histories: any HistoryStore
    private let examination = BoundedExecutor(threads: 1, limit: 64, refusal: IssueError.notReady("full"))

    init(key path: String, folder: String, offers: Int) throws {
        let system = SystemEnvironment.live
        let store = try Store.sqlite(
            signing: "\(folder)/store.sqlite", purchases: "\(folder)/histories.sqlite", audit: .openSSL, now: system.now,
            onWait: { _ in })
        histories = store.purchases.histories
        let ids = (1...offers).map { "offer-\($0)" }
        let offer = SubscriptionOffer(kind: .payAsYouGo, period: "P1M")
        let product = SubscriptionProduct(
            id: "pro", groupID: "1", level: 1, period: "P1M", introductoryOffer: nil,
            promotionalOffers: Dictionary(uniqueKeysWithValues: ids.map { (ExactText($0), offer) }))
        app = App(
            bundleID: "com.example.app", issuerID: nil,
            identity: AppIdentity(bundleID: "com.example.app", appAppleID: nil, environment: .production),
            sharedSecret: nil, enforcement: .advise, policy: EligibilityPolicy(), catalogue: Catalogue(products: [product]))
        let ring = try KeyRing(
            entries: [KeyRing.Entry(key: SigningKey.example(path), state: .active, apps: nil)],
            bundleIDs: [app.bundleID])
        let verifier = SignedDataVerifier(roots: .appleRootCAG3) { system.now().milliseconds }
        issuer = OfferIssuer(
            keys: KeyRingHolder(
                LoadedKeys(ring: ring), store: store.signing.keys, system: system,
                folder: KeyRingHolder.Folder { _ in LoadedKeys(ring: ring) }),
            nonces: NonceDesk(seal: NonceSeal(key: try AuthenticationKey(secret: [1, 2, 3]), period: 60_000), system: system),
            clock: SigningClock(system: system, record: ClockRecord(), maxAhead: 3_600_000),
            ledger: store.signing.ledger,
            intake: HistoryIntake(store: histories, reader: SignedDataReader(verifier: verifier), system: system),
            observer: Silence())
        let access = AccessRecord(
            id: "bench", secretDigest: [], role: Role.backend.rawValue, apps: nil, note: "", createdAt: system.now(),
            expiresAt: nil)
        caller = Caller(access, rate: RateState())!
        request = SignatureRequest(
            customerID: nil, applicationUsername: "u-123", form: .payload, transactionID: nil,
            items: ids.map { SignatureRequest.Item(productID: "pro", purpose: .promotionalOffer(offerID: $0), nonce: nil) })
    }

    /// An event loop's ways into the store.
    func lane(on loop: any EventLoop) -> StoreLane {
        StoreLane(eventLoop: loop, ledger: issuer.ledger, histories: histories, examination: examination)
    }

    /// Signs all offers once.
    func issue(on lane: StoreLane, reply: @escaping OfferIssuer.Reply) {
        issuer.issue(
            request, of: app, for: caller, requestID: "bench", address: "127.0.0.1", idempotency: nil, lane: lane,
            render: { _ in [] }, reply: reply)
    }

    private struct Silence: IssueObserver {
        func didSign(_: LedgerEntry) {}
        func didSign(against _: Verdict, bundleID _: String) {}
        func didRefuse(_: UnsignedOffer) {}
        func didFindUnneeded(_: UnsignedOffer) {}
    }
}
