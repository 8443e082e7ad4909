import AppStore
import EligibilityRules
import Foundation
import NIOCore
import NIOPosix
import OfferSigning
import OfferSigningTesting
import OfferStore
import OfferStoreSQL
import OfferStoreSQLite
import OfferStoreTesting
import Synchronization
import WireText

@testable import OfferService

/// A real issuer on a real store with a real key, without the service around it.
final class IssuerWorkshop: Sendable {
    let ledger: SQLiteLedger
    let histories: SQLiteHistoryStore
    private let folder: URL
    let key: SigningKey
    let ring: KeyRing
    private let keys: CurrentKeyRing
    private let nonces: NonceDesk
    private let clock: SigningClock
    let caller: Caller
    let observer = RecordingObserver()
    private let overrides: App.IntroductoryOverrides
    private let catalogue: Catalogue
    /// What was recorded, as the results of campaigns read it.
    let exposures: SQLExposureStore<SQLiteStore>
    let campaignStore: SQLCampaignStore<SQLiteStore>
    let memory = ExposureMemory()

    init(role: Role = .backend, overrides: App.IntroductoryOverrides = .backend) async throws {
        self.overrides = overrides
        folder = FileManager.default.temporaryDirectory.appending(path: "offersigner-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let system = SystemEnvironment.live
        let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path, audit: .testing)
        ledger = SQLiteLedger(store: store)
        exposures = SQLExposureStore(store)
        campaignStore = SQLCampaignStore(store)
        histories = try SQLiteHistoryStore(SQLiteHistoryFile(path: folder.appending(path: "histories.sqlite").path))
        key = try IssuerWorkshop.makeKey(in: folder)
        ring = try KeyRing(
            entries: [KeyRing.Entry(key: key, state: .active, apps: nil)], bundleIDs: ["com.example.app"])
        keys = CurrentKeyRing(
            LoadedKeys(ring: ring), store: SQLKeyStore(store), changes: SQLChangeFeed(store), system: system,
            folder: CurrentKeyRing.Folder { [ring] _ in LoadedKeys(ring: ring) })
        // Longer than a test may wait for its turn on a machine that does much else.
        let seal = NonceSeal(key: try AuthenticationKey(secret: [1, 2, 3]), period: 3_600_000)
        nonces = NonceDesk(seal: seal, system: system)
        clock = SigningClock(system: system, record: ClockRecord(), maxAhead: 3_600_000)
        let record = AccessRecord(
            id: "caller", secretDigest: [], role: role.rawValue, apps: nil, note: "",
            lifetime: AccessLifetime(createdAt: system.now()))
        caller = Caller(record, rate: RateState())!
        let offer = SubscriptionOffer(kind: .freeTrial, period: "P1W")
        let offers = ["one", "two", "three"].map { (ExactText($0), offer) }
        let product = SubscriptionProduct(
            id: "pro", groupID: "1", level: 1, period: "P1M", introductoryOffer: nil,
            promotionalOffers: Dictionary(uniqueKeysWithValues: offers))
        let trial = SubscriptionProduct(
            id: "trial", groupID: "1", level: 1, period: "P1M", introductoryOffer: offer, promotionalOffers: [:])
        catalogue = Catalogue(products: [product, trial])
    }

    /// Has a campaign stand elsewhere.
    func set(_ standing: CampaignStanding, _ id: String) async throws {
        guard let record = try await campaignStore.campaign(id: id, bundleID: "com.example.app"),
            try await campaignStore.write(record.next(draft: record.draft, standing: standing)) == .written
        else { throw CancellationError() }
    }

    /// Puts campaigns live, or publishes them anew.
    func publish(_ campaigns: Campaign...) async throws {
        for campaign in campaigns {
            let before = try await campaignStore.campaign(id: campaign.id, bundleID: campaign.bundleID)
            let published = CampaignPublication.sample((before?.latest ?? 0) + 1, document: campaign.json.bytes)
            let record =
                before?.next(published: published)
                ?? CampaignRecord.sample(campaign.id, of: campaign.bundleID, published: published, standing: .live)
            guard try await campaignStore.write(record) == .written else { throw CancellationError() }
        }
    }

    /// What is live now.
    private func live(_ apps: AppDirectory) async throws -> LiveCampaigns {
        let live = LiveCampaigns(store: campaignStore, apps: apps, failures: RecordedLog().makeFailureLog())
        try await live.follow(1)
        return live
    }

    /// Asks campaigns what they give.
    func offers(
        customer: String?,
        _ occasion: OfferOccasion = .none,
        _ enforcement: App.Enforcement = .enforce,
        transaction: String? = nil,
        as caller: Caller? = nil,
        standing: StoreStanding? = nil
    ) async throws -> OfferInquiry.Findings {
        let verifier = SignedDataVerifier(roots: .appleRootCAG3) { SystemEnvironment.live.now().milliseconds }
        let intake = HistoryIntake(store: histories, reader: SignedDataReader(verifier: verifier), system: .live)
        let apps = apps(enforcement)
        let app = try apps.app(named: nil, for: self.caller)
        let inquiry = OfferInquiry(
            histories: HistoryLookup(intake: intake, lapsed: nil, standing: standing),
            rules: OfferRules(campaigns: try await live(apps), exposures: memory), clock: clock, observer: observer)
        let reference = CustomerReference(customerID: customer, transactionID: transaction)
        let (lane, who) = (try await lane(), caller ?? self.caller)
        return try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<OfferInquiry.Findings, any Error>) in
            lane.eventLoop.execute {
                inquiry.choose(
                    for: reference, occasion, of: app, for: who, from: Supplier(who, requestID: "test", address: nil),
                    lane: lane.value, reply: { continuation.resume(with: $0) })
            }
        }
    }

    /// All exposures to a campaign.
    func exposures(of campaign: String) async throws -> [Exposure] {
        try await exposures.exposures(of: campaign, partition: "com.example.app", after: 0, limit: 10_000).map(\.exposure)
    }

    private func apps(_ enforcement: App.Enforcement) -> AppDirectory {
        let identity = AppIdentity(bundleID: "com.example.app", appAppleID: nil, environment: .production)
        return AppDirectory([
            App(
                identity: identity, credentials: AppCredentials(issuerID: "issuer"),
                rules: AppRules(enforcement: enforcement, introductoryOverrides: overrides), policy: EligibilityPolicy(),
                catalogue: catalogue)
        ])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func makeNonce() throws -> UUID {
        try nonces.issue(app: apps(.advise).app(named: nil, for: caller), caller: caller, now: clock.now()).nonce
    }

    /// Issues on an event loop, as the service does, and gives the results once they are durable.
    func issue(
        _ request: SignatureRequest,
        _ enforcement: App.Enforcement = .advise,
        limits: (any OfferLimiting)? = nil,
        keys: (any OfferKeys)? = nil,
        as caller: Caller? = nil
    ) async throws -> IssuedOffers {
        let verifier = SignedDataVerifier(roots: .appleRootCAG3) { SystemEnvironment.live.now().milliseconds }
        let intake = HistoryIntake(store: histories, reader: SignedDataReader(verifier: verifier), system: .live)
        let apps = apps(enforcement)
        let app = try apps.app(named: nil, for: self.caller)
        let who = caller ?? self.caller
        let issuer = OfferIssuer(
            keys: keys ?? self.keys, nonces: nonces, clock: clock, ledger: ledger,
            histories: HistoryLookup(intake: intake, lapsed: nil), observer: observer,
            rules: OfferRules(campaigns: try await live(apps), exposures: memory, limits: limits))
        let lane = try await lane()
        let rendered = Mutex<IssuedOffers?>(nil)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            lane.eventLoop.execute {
                issuer.issue(
                    request, of: app, for: who,
                    from: Supplier(who, requestID: "test", address: "192.0.2.1"), idempotency: nil,
                    lane: lane.value,
                    render: { issued in
                        rendered.withLock { $0 = issued }
                        return []
                    },
                    reply: { continuation.resume(with: $0.map { _ in }) })
            }
        }
        return rendered.withLock { $0! }
    }

    /// Some event loop's ways into the stores.
    func lane() async throws -> NIOLoopBound<StoreLane> {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let examination = BoundedExecutor(threads: 1, limit: 100, refusal: IssueError.notReady("full", of: .load))
        return try await loop.submit { [ledger, histories] in
            let lane = StoreLane(eventLoop: loop, ledger: ledger, histories: histories, examination: examination)
            return NIOLoopBound(lane, eventLoop: loop)
        }.get()
    }

    /// Which of the results have a row.
    func recorded(_ issued: IssuedOffers) async throws -> [Bool] {
        var found: [Bool] = []
        for result in issued.results {
            if case .signed(let signed) = result.outcome {
                found.append(try await ledger.entry(nonce: signed.nonce) != nil)
            } else {
                found.append(false)
            }
        }
        return found
    }

    private static func makeKey(in folder: URL) throws -> SigningKey {
        let file = folder.appending(path: "SubscriptionKey_TESTKEY123.p8")
        try OpenSSLCommand.run(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file.path])
        chmod(file.path, 0o600)
        return try KeyFile(path: file.path).load(passphrase: nil, slots: 2)
    }

    /// What the issuer told its observer, a word each.
    final class RecordingObserver: IssueObserver {
        private let state = Mutex<[String]>([])

        var words: [String] { state.withLock { $0 } }

        func didSign(_: LedgerEntry) { state.withLock { $0.append("signed") } }
        func didSign(against _: Verdict, partition _: AppPartition) { state.withLock { $0.append("against") } }
        func didAssign(_ assignments: [CampaignAssignment], partition _: AppPartition) {
            state.withLock { $0 += assignments.map { "assigned \($0.campaignID) \($0.variant)" } }
        }
        func didRefuse(_: UnsignedOffer) { state.withLock { $0.append("refused") } }
        func didFindUnneeded(_: UnsignedOffer) { state.withLock { $0.append("not-needed") } }
    }
}
