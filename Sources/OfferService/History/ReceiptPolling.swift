package import AppStore
import EligibilityRules
package import OfferStore

/// Asks the App Store about a kept receipt, merges the purchases in the answer, and keeps the receipt in it.
package struct ReceiptPolling: Sendable {
    /// How a question about a receipt has ended.
    enum Outcome: Equatable, Sendable {
        /// The App Store has verified the receipt, and what it shows is stored.
        case verified
        /// The App Store has refused the receipt, or the receipt must wait.
        ///
        /// Other receipts can be asked about nevertheless.
        case done
        /// The App Store is unavailable, or limits the rate.
        case putOff(reason: String)
        /// The App Store has refused the app's shared secret.
        case secretRefused
        /// The receipt cannot be read, because its secret is not in the key folder.
        case unreadable
    }

    /// The reason that is recorded with a receipt that cannot be read.
    static let unreadable = Failure.unreadableReceipt
    /// The reason that is recorded if the answer does not show the subscription for which the receipt is kept.
    static let notShown = "receipt-without-subscription"
    /// The time after which an unreadable receipt is tried again, in ms, because an operator may have restored its secret.
    private static let unreadablePause: Int64 = 24 * 3_600_000

    package let intake: HistoryIntake
    let verification: ReceiptVerification
    let keeper: ReceiptKeeper
    package let store: any ReceiptStore

    package init(
        intake: HistoryIntake,
        verification: ReceiptVerification,
        keeper: ReceiptKeeper,
        store: any ReceiptStore
    ) {
        self.intake = intake
        self.verification = verification
        self.keeper = keeper
        self.store = store
    }

    /// Asks about a receipt. Throws if the store fails or if the task is cancelled. In these cases the receipt's record stays as
    /// it was.
    func ask(about record: ReceiptRecord, _ app: App) async throws -> Outcome {
        guard let receipt = keeper.vault.open(record) else {
            try await note(
                ReceiptFailure(
                    reason: Self.unreadable, failures: record.failures,
                    dueAt: intake.system.now().advanced(by: Self.unreadablePause)), record)
            return .unreadable
        }
        let result = await check(receipt, record.name, app)
        try Task.checkCancellation()
        guard case .genuine(let response) = result else { return try await note(result, record) }
        return try await take(response, receipt, record, app)
    }

    private func check(_ receipt: String, _ name: ReceiptName, _ app: App) async -> ReceiptCheckResult {
        do throws(AppStoreError) {
            let response = try await verification.verify(receiptData: receipt, sharedSecret: app.credentials.sharedSecret)
            // For a receipt that was never verified, the answer says which environment it belongs to.
            return ReceiptCheckResult(response, of: name.isUnverified ? app.taking(response.environment) : app)
        } catch {
            return ReceiptCheckResult(error)
        }
    }

    private func take(
        _ response: ReceiptResponse,
        _ receipt: String,
        _ record: ReceiptRecord,
        _ app: App
    ) async throws -> Outcome {
        let now = intake.system.now()
        // The answer is dated by this machine's clock, whatever Apple's clock says, so that the next answer counts as later and
        // replaces it.
        let receipts = keeper.kept(
            response.latestReceipt ?? receipt, showing: response.history, shownAt: now, verifiedAt: now,
            from: response.environment, app, now: now)
        _ = try await intake.take(
            response.history, showsAccount: response.showsAccount, in: response.environment, receipts: receipts,
            customerID: record.customerID, from: .service, app)
        switch record.name {
        case .unverified: try await store.remove(record.name, partition: record.partition)
        case .subscription(let id):
            guard !receipts.contains(where: { ExactText($0.originalTransactionID) == ExactText(id) }) else { break }
            _ = try await note(.failed(reason: Self.notShown), record)
        }
        return .verified
    }

    private func note(_ result: ReceiptCheckResult, _ record: ReceiptRecord) async throws -> Outcome {
        let failure = result.failure(
            after: record.failures, lastReason: record.reason, of: record.name, at: intake.system.now())
        if let failure { try await note(failure, record) }
        switch result {
        case .secretRefused: return .secretRefused
        case .away(let reason): return .putOff(reason: reason)
        case .notAsked: return .putOff(reason: AppStoreError.Code.circuitOpen.rawValue)
        case .genuine, .refused, .failed: return .done
        }
    }

    private func note(_ failure: ReceiptFailure, _ record: ReceiptRecord) async throws {
        try await store.note(failure, of: record)
    }
}
