import EligibilityRules
import OfferService
import OfferStore

/// The common part of the commands about refund requests.
struct RefundTools {
    /// The app in the requested environment.
    let app: App
    let desk: RefundDesk
    private let store: Store

    init(_ options: ConfigurationOptions, _ app: AppOptions) throws {
        let tools = try HistoryTools(options, bundleID: app.bundleID, environment: app.environment)
        self.app = tools.app
        store = try tools.configuration.openStore(onWait: StandardError.note)
        desk = RefundDesk(
            store: store.purchases, audit: tools.configuration.auditLog(of: store.signing), system: .live)
    }

    /// The app's `refunds.mode`.
    var mode: String { app.answers.refunds.mode.rawValue }

    /// Tries the policies on a transaction.
    func judge(_ transactionID: String, at now: Instant) async throws -> RefundJudgement {
        _ = app.groups.note(try await store.purchases.histories.seenGroups(partition: app.partition))
        return try await desk.judge(transactionID, requestedAt: now, app)
    }

    func close() throws { try store.close() }
}
