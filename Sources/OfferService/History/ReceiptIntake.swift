package import AppStore
import EligibilityRules
import OfferSigning
package import OfferStore
package import WireText

/// Takes in receipts. It reads what Apple has signed in them, and asks the App Store for the rest. A backend can also submit the
/// answer that it got from the App Store itself.
///
/// If the App Store could not be asked about a receipt, the receipt is kept, and the service asks again later.
package struct ReceiptIntake: Sendable {
    /// The maximum number of unverified receipts that are kept for an app. If there are more, the oldest are dropped.
    private static let maxUnverified = 10_000
    private static let field = "receiptData"
    /// The code for a status of verifyReceipt begins with this text.
    private static let status = "receipt-status-"
    /// The code for a wrong shared secret. It says nothing about the receipt.
    private static let wrongSecret = "receipt-status-21004"

    package let intake: HistoryIntake
    let verification: ReceiptVerification
    package let store: (any ReceiptStore)?

    /// - Parameter store: keeps receipts that could not be verified; nil if they are not kept.
    package init(intake: HistoryIntake, verification: ReceiptVerification, store: (any ReceiptStore)? = nil) {
        self.intake = intake
        self.verification = verification
        self.store = store
    }

    /// Verifies a receipt and merges its purchases. It asks the App Store only for what the receipt itself does not say.
    ///
    /// - Parameter text: the receipt in Base64, as it came.
    package func verify(_ text: consuming String, customerID: String?, from supplier: Supplier, _ app: App) async throws
        -> HistoryReport
    {
        let receiptData: String
        do {
            receiptData = try ReceiptText.read(text)
        } catch {
            throw HistoryError.unusableDocument(field: Self.field, reason: error.reason)
        }
        guard let own = try read(receiptData, app) else {
            return try await ask(receiptData, customerID: customerID, from: supplier, app)
        }
        var unanswered: HistoryReport.Unanswered?
        // An old receipt lacks later purchases. A receipt with subscriptions lacks their renewals and renewal states, the group
        // and the ownership.
        if app.credentials.sharedSecret != nil, !own.showsAccount || own.history.chains.contains(where: \.concernsSubscriptions) {
            do {
                return try await ask(receiptData, customerID: customerID, from: supplier, app)
            } catch HistoryError.appStoreFailed(let code, let detail, _) {
                unanswered = HistoryReport.Unanswered(code: code, detail: detail)
            } catch HistoryError.refusedByAppStore(let code, let detail, _)
                where !code.hasPrefix(Self.status) || code == Self.wrongSecret
            {
                unanswered = HistoryReport.Unanswered(code: code, detail: detail)
            }
        }
        var report = try await take(
            own, field: Self.field, receipt: nil, verifiedAt: nil, customerID: customerID, from: supplier, app)
        report.verifyReceipt = unanswered
        return report
    }

    /// What a receipt for the app says without the App Store's help; nil if only the App Store can read it.
    private func read(_ receiptData: String, _ app: App) throws(HistoryError) -> ReceiptResponse? {
        let own: ReceiptResponse?
        do throws(SignedDataError) {
            own = try intake.reader.receipt(receiptData, at: intake.system.now())
        } catch {
            // verifyReceipt may be able to read a receipt that cannot be read here.
            if error.code == .malformedPayload, app.credentials.sharedSecret != nil { return nil }
            throw HistoryError.signedDataRejected(field: Self.field, code: error.code.rawValue, detail: error.detail)
        }
        if let own { try check(own, field: Self.field, app) }
        return own
    }

    /// Lets the App Store verify a receipt.
    private func ask(_ receiptData: String, customerID: String?, from supplier: Supplier, _ app: App) async throws
        -> HistoryReport
    {
        do {
            let response = try await verification.verify(receiptData: receiptData, sharedSecret: app.credentials.sharedSecret)
            await keep(
                receiptData, unless: ReceiptCheckResult(response, of: app.taking(response.environment)), customerID,
                from: supplier,
                app)
            let report = try await take(
                response, field: Self.field, receipt: receiptData, verifiedAt: intake.system.now(), customerID: customerID,
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
    ///
    /// - Parameter json: the response. Its memory is freed as soon as it was read.
    package func take(_ json: consuming JSONValue, customerID: String?, from supplier: Supplier, _ app: App) async throws
        -> HistoryReport
    {
        func unusable(_ reason: String) -> HistoryError { .unusableDocument(field: "verifiedReceipt", reason: reason) }
        // Databases do not accept this character, so the purchase with it would be left out silently.
        guard !json.containsNull else { throw unusable("contains U+0000, which the App Store does not send") }
        guard let response = ReceiptResponse(json), response.status >= 0 else {
            throw unusable("is not a verifyReceipt response: it has no status that the App Store gives")
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
                code: "\(Self.status)\(response.status)", detail: "verifyReceipt status \(response.status)",
                isFinal: true)
        }
        try check(response, field: field, app)
        let receipts = intake.keeper?.kept(
            response.latestReceipt ?? receipt, showing: response.history, shownAt: verifiedAt ?? response.asOf,
            verifiedAt: verifiedAt, from: response.environment, app, now: intake.system.now())
        return try await intake.take(
            response.history, showsAccount: response.showsAccount, in: response.environment, receipts: receipts ?? [],
            customerID: customerID, from: supplier, app)
    }

    private func check(_ response: ReceiptResponse, field: String, _ app: App) throws(HistoryError) {
        if let bundleID = response.bundleID, !bundleID.utf8.elementsEqual(app.bundleID.utf8) {
            throw HistoryError.unusableDocument(field: field, reason: "bundle-mismatch: is of another app, \(bundleID)")
        }
    }

    private func keep(
        _ receipt: String,
        unless result: ReceiptCheckResult,
        _ customerID: String?,
        from supplier: Supplier,
        _ app: App
    ) async {
        guard let store, let keeper = intake.keeper else { return }
        // The receipt is genuine, but it belongs to another environment. Its purchases are stored as purchases in that
        // environment, and the service never asks the App Store about this receipt again.
        if case .refused(reason: "environment-mismatch") = result { return }
        let (now, name) = (intake.system.now(), ReceiptKeeper.name(ofUnverified: receipt))
        var failure = result.failure(after: 0, lastReason: nil, of: name, at: now)
        if case .notAsked = result, let due = failure?.dueAt {
            failure = ReceiptFailure(reason: AppStoreError.Code.circuitOpen.rawValue, failures: 0, dueAt: due)
        }
        // When the service presents the receipt later, it vouches for the customer. A client, however, has only claimed the
        // customer. Such a customer is left out, so that the claim does not become stronger than it was.
        let customerID = supplier.proof == .vouched ? customerID : nil
        guard let failure, let kept = keeper.unverified(receipt, customerID: customerID, failure, app, now: now)
        else { return }
        // If the receipt cannot be kept, the error is ignored. The caller learns that the receipt was not verified, and can send
        // it again.
        try? await store.keep(kept, limit: Self.maxUnverified)
    }

    private func removeUnverified(_ receipt: String, _ app: App) async throws {
        guard let store, intake.keeper != nil, app.isPolledByReceipt else { return }
        try await store.remove(ReceiptKeeper.name(ofUnverified: receipt), partition: app.partition)
    }
}

extension JSONValue {
    /// Whether any text in the value contains U+0000.
    fileprivate var containsNull: Bool {
        switch self {
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains(where: \.containsNull)
        case .object(let members): members.contains(where: \.value.containsNull)
        default: false
        }
    }
}
