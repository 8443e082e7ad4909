import AppStore
import AppStoreTesting
import EligibilityRules
import Foundation
import GRDB
import OfferSigning
import OfferSigningTesting
import OfferStore
import OfferStoreSQLite
import OfferStoreTesting
import Synchronization
import WireText

@testable import OfferService

/// An app that has a shared secret and no issuer id, its histories in SQLite, and a verifyReceipt that says what a test wants.
final class ReceiptWorkshop: Sendable {
    static let secret = "s3cret-of-the-app"
    static let minute: Int64 = 60_000
    static let hour = 60 * minute
    static let day = 24 * hour

    private struct State {
        var answers: [String: AppStoreStub.Reply] = [:]
        var asked: [String] = []
        var password = ReceiptWorkshop.secret
    }

    let clock = ManualClock(TestAuthority.signedDate)
    let start = Instant(milliseconds: TestAuthority.signedDate)
    let log = RecordedLog()
    let failures: FailureLog
    let folder: OfferStoreTesting.TemporaryFolder
    let store: PurchaseStore
    let app: App
    let apps: AppDirectory
    let keeper: ReceiptKeeper
    let rounds: RoundTimes
    private let reader: SignedDataReader
    private let state = Mutex(State())

    /// - Parameter issuerID: where there is a Server API.
    init(issuerID: String? = nil) throws {
        folder = try OfferStoreTesting.TemporaryFolder()
        failures = log.makeFailureLog()
        let system = clock.environment
        store = try PurchaseStore.sqlite(path: folder.path("histories.sqlite"), now: system.now) { _ in }
        let roots = [try TestAuthority.shared.get().der("root"), try TestAuthority.receipts.get().der("root")]
        reader = SignedDataReader(verifier: try .trusting(roots, now: { [clock] in clock.now.milliseconds }))
        app = App(
            identity: AppIdentity(bundleID: "com.example.app", appAppleID: 42, environment: .production),
            credentials: AppCredentials(issuerID: issuerID, sharedSecret: Self.secret), rules: AppRules(enforcement: .enforce),
            policy: EligibilityPolicy(), catalogue: Catalogue(products: []))
        apps = AppDirectory([app])
        try FileManager.default.createDirectory(
            atPath: folder.path("keys"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        keeper = ReceiptKeeper(
            vault: ReceiptVault(folder: ReceiptSecretFolder(directory: folder.path("keys")), logger: log.logger))
        keeper.vault.follow()
        rounds = RoundTimes([.receiptPoll], system: system)
    }

    var intake: HistoryIntake {
        HistoryIntake(store: store.histories, reader: reader, system: clock.environment, keeper: keeper)
    }

    /// What verifyReceipt was asked about, a receipt a question.
    var asked: [String] { state.withLock(\.asked) }

    /// What verifyReceipt takes as the shared secret.
    var password: String {
        get { state.withLock(\.password) }
        set { state.withLock { $0.password = newValue } }
    }

    func answer(_ receipt: String, _ reply: AppStoreStub.Reply?) { state.withLock { $0.answers[receipt] = reply } }

    /// Lets a receipt show a subscription with some periods, in days from the start of the tests.
    func show(_ receipt: String, _ id: String = "1000", days: ClosedRange<Int64>..., latest: String? = nil, fields: String = "") {
        let periods = days.enumerated().map { number, days in
            """
            {"transaction_id":"\(number == 0 ? id : "\(id)0\(number)")","original_transaction_id":"\(id)","product_id":"pro",\
            "purchase_date_ms":"\(ms(days.lowerBound))","expires_date_ms":"\(ms(days.upperBound))",\
            "is_trial_period":"false","is_in_intro_offer_period":"false"}
            """
        }
        let latest = latest.map { #","latest_receipt":"\#($0)""# } ?? ""
        answer(
            receipt,
            .json(
                """
                {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.app","in_app":[],\
                "request_date_ms":"NOW"},"latest_receipt_info":[\(periods.joined(separator: ","))]\(latest)\(fields)}
                """))
    }

    private func ms(_ days: Int64) -> Int64 { start.milliseconds + days * Self.day }

    /// Runs a test with verifyReceipt there.
    func serving(_ test: (ReceiptIntake, ReceiptPoller) async throws -> Void) async throws {
        try await AppStoreStub.serve { request, _ in
            self.reply(request)
        } sandbox: { _, _ in
            .json(#"{"status":0,"environment":"Sandbox","receipt":{"bundle_id":"com.example.app","in_app":[]}}"#)
        } body: { production, sandbox in
            let verification = verification(production.baseURL, sandbox.baseURL)
            try await test(
                ReceiptIntake(intake: intake, verification: verification, store: store.receipts), poller(verification))
        }
    }

    func verification(_ production: String, _ sandbox: String) -> ReceiptVerification {
        ReceiptVerification(
            endpoints: AppStoreEndpoints.Pair(production: production, sandbox: sandbox), transport: .toStub(),
            policy: CallPolicy(retry: RetryPolicy(maxAttempts: 1)),
            system: CallEnvironment(now: { [clock] in clock.now }, sleep: { _ in }, random: { 0.5 }))
    }

    func poller(_ verification: ReceiptVerification) -> ReceiptPoller {
        ReceiptPoller(
            apps: apps,
            polling: ReceiptPolling(intake: intake, verification: verification, keeper: keeper, store: store.receipts),
            interval: .seconds(10),
            environment: RoundEnvironment(
                system: clock.environment, rounds: rounds, failures: failures, logger: log.logger))
    }

    private func reply(_ request: AppStoreStub.Request) -> AppStoreStub.Reply {
        guard let body = try? JSONValue(parsing: Array(request.body.utf8)),
            case .string(let receipt)? = body.member("receipt-data"), case .string(let password)? = body.member("password")
        else { return .json(#"{"status":21002}"#) }
        return state.withLock { state in
            state.asked.append(receipt)
            guard password == state.password else { return .json(#"{"status":21004}"#) }
            guard var reply = state.answers[receipt] else { return .json(#"{"status":21003}"#) }
            reply.body = reply.body.replacingOccurrences(of: "NOW", with: "\(clock.now.milliseconds)")
            return reply
        }
    }

    /// What stands in the table, as another reader of the file sees it, by name: a subscription's id, or `unverified`.
    func kept() async throws -> [String: Kept] {
        let queue = try DatabaseQueue(path: folder.path("histories.sqlite"))
        return try await queue.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT CASE WHEN is_unverified THEN 'unverified' ELSE CAST(name AS TEXT) END, reason, failures, due_at
                        FROM receipt
                    """)
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    (
                        row[0] as String,
                        Kept(reason: row[1], failures: row[2], due: (row[3] as Int64?).map { Instant(milliseconds: $0) })
                    )
                })
        }
    }

    struct Kept: Equatable, Sendable {
        let reason: String?
        let failures: Int
        let due: Instant?
    }

    /// Does something to the file of histories from outside.
    func execute(_ sql: String) async throws {
        try await DatabaseQueue(path: folder.path("histories.sqlite")).write { try $0.execute(sql: sql) }
    }

    /// The subscription's state now.
    func status(_ id: String = "1000") async throws -> SubscriptionStatus {
        let stored = try await store.histories.find(HistoryQuery(partition: app.partition, transactionID: id))
        return SubscriptionStatus(of: stored.history.chains, at: clock.now)
    }
}
