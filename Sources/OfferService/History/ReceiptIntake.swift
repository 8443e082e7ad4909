package import AppStore
import EligibilityRules
package import OfferStore
package import WireText

/// Takes in receipts: asks the App Store what a receipt holds, or believes the backend that has asked.
///
/// A receipt that could not be verified is kept, and the service asks again by itself.
package struct ReceiptIntake: Sendable {
    /// The maximum number of unverified receipts that are kept for an app; the oldest are dropped.
    private static let maxUnverified = 10_000

    package let intake: HistoryIntake
    let verification: ReceiptVerification
    package let store: (any ReceiptStore)?

    /// - Parameter store: keeps receipts that could not be verified; nil: they are not kept.
    package init(intake: HistoryIntake, verification: ReceiptVerification, store: (any ReceiptStore)? = nil) {
        self.intake = intake
        self.verification = verification
        self.store = store
    }

    /// Has the App Store verify a receipt and merges its purchases.
    package func verify(_ receiptData: String, customerID: String?, from supplier: Supplier, _ app: App) async throws
        -> HistoryReport
    {
        do {
            let response = try await verification.verify(receiptData: receiptData, sharedSecret: app.sharedSecret)
            await keep(
                receiptData, unless: ReceiptCheckResult(response, of: app.taking(response.environment)), customerID,
                from: supplier,
                app)
            let report = try await take(
                response, field: "receiptData", receipt: receiptData, verifiedAt: intake.system.now(), customerID: customerID,
                from: supplier, app)
            try await removeUnverified(receiptData, app)
            return report
        } catch let error as AppStoreError {
            if error.code != .cancelled {
                await keep(receiptData, unless: ReceiptCheckResult(error), customerID, from: supplier, app)
            }
            throw HistoryError(error, now: intake.system.now())
        }
    }

    /// Merges the purchases of a verifyReceipt response.
    package func take(_ json: JSONValue, customerID: String?, from supplier: Supplier, _ app: App) async throws -> HistoryReport {
        guard let response = ReceiptResponse(json), response.status >= 0 else {
            throw HistoryError.unusableDocument(
                field: "verifiedReceipt", reason: "is not a verifyReceipt response: it has no status that the App Store gives")
        }
        return try await take(
            response, field: "verifiedReceipt", receipt: nil, verifiedAt: nil, customerID: customerID, from: supplier, app)
    }

    private func take(
        _ response: ReceiptResponse,
        field: String,
        receipt: String?,
        verifiedAt: Instant?,
        customerID: String?,
        from supplier: Supplier,
        _ app: App
    ) async throws -> HistoryReport {
        guard response.isGenuine else {
            throw HistoryError.refusedByAppStore(
                code: "receipt-status-\(response.status)", detail: "verifyReceipt status \(response.status): nothing was stored",
                isFinal: true)
        }
        if let bundleID = response.bundleID, !bundleID.utf8.elementsEqual(app.bundleID.utf8) {
            throw HistoryError.unusableDocument(
                field: field, reason: "bundle-mismatch: is of another app, \(bundleID)")
        }
        let receipts = intake.keeper?.kept(
            response.latestReceipt ?? receipt, showing: response.history, shownAt: verifiedAt ?? response.asOf,
            verifiedAt: verifiedAt, from: response.environment, app, now: intake.system.now())
        return try await intake.take(
            response.history, showsAccount: response.showsAccount, in: response.environment, receipts: receipts ?? [],
            customerID: customerID, from: supplier, app)
    }

    private func keep(
        _ receipt: String,
        unless result: ReceiptCheckResult,
        _ customerID: String?,
        from supplier: Supplier,
        _ app: App
    ) async {
        guard let store, let keeper = intake.keeper else { return }
        // Genuine, but from elsewhere: its purchases are stored as such, and it is never asked about.
        if case .refused(reason: "environment-mismatch") = result { return }
        let (now, name) = (intake.system.now(), ReceiptKeeper.name(ofUnverified: receipt))
        var failure = result.failure(after: 0, lastReason: nil, of: name, at: now)
        if case .notAsked = result, let due = failure?.dueAt {
            failure = ReceiptFailure(reason: AppStoreError.Code.circuitOpen.rawValue, failures: 0, dueAt: due)
        }
        // Later the service presents the receipt and vouches for it: a claim must not become more than it was.
        let customerID = supplier.proof == .vouched ? customerID : nil
        guard let failure, let kept = keeper.unverified(receipt, customerID: customerID, failure, app, now: now)
        else { return }
        // The caller learns that it was not verified, and can send it again.
        try? await store.keep(kept, limit: Self.maxUnverified)
    }

    private func removeUnverified(_ receipt: String, _ app: App) async throws {
        guard let store, intake.keeper != nil, app.isPolledByReceipt else { return }
        try await store.remove(ReceiptKeeper.name(ofUnverified: receipt), partition: app.partition)
    }
}
