package import AppStore
import EligibilityRules
package import WireText

/// Takes receipts in: asks the App Store what one holds, or believes the backend that has asked.
package struct ReceiptIntake: Sendable {
    package let intake: HistoryIntake
    let verification: ReceiptVerification

    /// Takes the values as they are.
    package init(intake: HistoryIntake, verification: ReceiptVerification) {
        self.intake = intake
        self.verification = verification
    }

    /// Has the App Store verify a receipt and merges its purchases.
    package func verify(_ receiptData: String, customerID: String?, from supplier: Supplier, _ app: App) async throws
        -> HistoryReport
    {
        do {
            let response = try await verification.verify(receiptData: receiptData, sharedSecret: app.sharedSecret)
            return try await take(response, field: "receiptData", customerID: customerID, from: supplier, app)
        } catch let error as AppStoreError {
            throw HistoryError(error, now: intake.system.now())
        }
    }

    /// Merges the purchases of a verifyReceipt response.
    package func take(_ json: JSONValue, customerID: String?, from supplier: Supplier, _ app: App) async throws -> HistoryReport {
        guard let response = ReceiptResponse(json), response.status >= 0 else {
            throw HistoryError.unusableDocument(
                field: "verifiedReceipt", reason: "is no verifyReceipt response: it has no status that the App Store gives")
        }
        return try await take(response, field: "verifiedReceipt", customerID: customerID, from: supplier, app)
    }

    private func take(
        _ response: ReceiptResponse,
        field: String,
        customerID: String?,
        from supplier: Supplier,
        _ app: App
    ) async throws -> HistoryReport {
        guard response.isGenuine else {
            throw HistoryError.refusedByAppStore(
                code: "receipt-status-\(response.status)", detail: "verifyReceipt status \(response.status): nothing was taken",
                isFinal: true)
        }
        if let bundleID = response.bundleID, !bundleID.utf8.elementsEqual(app.bundleID.utf8) {
            throw HistoryError.unusableDocument(
                field: field, reason: "bundle-mismatch: is of another app, \(bundleID)")
        }
        return try await intake.take(
            response.history, showsAccount: response.showsAccount, in: response.environment, customerID: customerID,
            from: supplier, app)
    }
}
