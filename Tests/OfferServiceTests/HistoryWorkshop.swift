import AppStore
import AppStoreTesting
import EligibilityRules
import OfferSigning
import OfferSigningTesting
import OfferStore
import OfferStoreTesting
import Synchronization

@testable import OfferService

/// An app, a store, and an App Store whose root certificate is a test's.
final class HistoryWorkshop: Sendable {
    /// Shows when the test authority signs.
    let clock = ManualClock(TestAuthority.signedDate)
    let start = Instant(milliseconds: TestAuthority.signedDate)
    let log = RecordedLog()
    let failures: FailureLog
    let store: TemporaryStore
    let histories: UnsteadyHistoryStore
    let reader: SignedDataReader
    let app: App
    let apps: AppDirectory
    let observer = RecordingObserver()
    private let authority: TestAuthority

    /// - Parameters:
    ///   - sharedSecret: of notifications V1.
    ///   - refunds: how the app answers refund requests.
    init(sharedSecret: String? = nil, refunds: RefundTerms = .off) throws {
        authority = try TestAuthority.shared.get()
        store = TemporaryStore { [clock] in clock.now }
        histories = UnsteadyHistoryStore(store.histories)
        failures = log.makeFailureLog()
        let now: @Sendable () -> Int64 = { [clock] in clock.now.milliseconds }
        reader = SignedDataReader(verifier: try .trusting([authority.der("root")], now: now))
        let product = SubscriptionProduct(
            id: "pro", groupID: "1", level: 1, period: "P1M", introductoryOffer: nil, promotionalOffers: [:])
        app = App(
            identity: AppIdentity(bundleID: "com.example.app", appAppleID: 42, environment: .production),
            credentials: AppCredentials(issuerID: "issuer", sharedSecret: sharedSecret), rules: AppRules(enforcement: .enforce),
            answers: AppStoreAnswers(refunds: refunds), policy: EligibilityPolicy(), catalogue: Catalogue(products: [product]))
        apps = AppDirectory([app])
    }

    var notifications: NotificationIntake {
        NotificationIntake(
            intake: HistoryIntake(store: histories, reader: reader, system: clock.environment, observer: observer))
    }

    /// Asks an App Store about the app's subscriptions.
    func refresh(_ serverAPI: ServerAPI?) -> HistoryRefresh {
        let intake = HistoryIntake(store: histories, reader: reader, system: clock.environment, observer: observer)
        return HistoryRefresh(intake: intake, serverAPIs: serverAPI.map { [app.bundleID: $0] } ?? [:])
    }

    /// A client that does not pause and does not ask twice.
    func serverAPI(_ endpoints: AppStoreEndpoints.Pair, _ transport: any AppStoreTransport) -> ServerAPI {
        ServerAPI(
            endpoints: endpoints, transport: transport, policy: CallPolicy(retry: RetryPolicy(maxAttempts: 1)),
            system: CallEnvironment(now: { [clock] in clock.now }, sleep: { _ in }, random: { 0.5 }), release: ReleaseInMemory(),
            token: { "token" })
    }

    /// Signs as the App Store does, or as an impostor with its names.
    func sign(_ payload: String, forged: Bool = false) throws -> String {
        let chain = ["leaf", "intermediate", "root"].map { forged ? "forged-\($0)" : $0 }
        return try authority.jws(chain, payload: payload)
    }

    /// A signed period of a subscription; the first has the subscription's id.
    ///
    /// - Parameters:
    ///   - days: begin and end, counted from the start.
    ///   - fields: further members, which take the place of those before.
    func transaction(
        _ id: String = "1000",
        original: String? = nil,
        days: ClosedRange<Int64> = -29...1,
        _ fields: [String: String] = [:],
        forged: Bool = false
    ) throws -> String {
        let day: Int64 = 86_400_000
        let begin = start.milliseconds + days.lowerBound * day
        let members = [
            "transactionId": "\"\(id)\"", "originalTransactionId": "\"\(original ?? id)\"", "productId": "\"pro\"",
            "subscriptionGroupIdentifier": "\"1\"", "type": "\"Auto-Renewable Subscription\"",
            "inAppOwnershipType": "\"PURCHASED\"", "bundleId": "\"com.example.app\"", "environment": "\"Production\"",
            "purchaseDate": "\(begin)", "expiresDate": "\(start.milliseconds + days.upperBound * day)", "signedDate": "\(begin)",
        ]
        return try sign(HistoryWorkshop.json(members.merging(fields) { $1 }), forged: forged)
    }

    /// An object of raw members, in the order of their names.
    static func json(_ members: [String: String]) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    /// When each subscription is to be asked about next, by id.
    func nextPolls() async throws -> [String: Instant] {
        let all = try await histories.dueForPolling(
            partition: app.partition, now: Instant(milliseconds: .max), limit: .max)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.originalTransactionID, $0.dueAt) })
    }

    /// What the observer got, a word each.
    final class RecordingObserver: HistoryObserver {
        private let state = Mutex<[String]>([])

        var words: [String] { state.withLock { $0 } }

        func didFindUnrecognised(_ fields: [String], bundleID _: String) { state.withLock { $0 += fields } }

        func didUnclaim(_ seats: UnclaimedSeats, bundleID _: String) { state.withLock { $0 += seats.claimIDs } }

        func didFindDifference(_ difference: GroupDirectory.Difference, bundleID _: String) {
            state.withLock { $0.append("\(difference.productID) is in \(difference.groupID)") }
        }
    }
}
