package import AppStore
package import EligibilityRules
import OfferSigning
import OfferStore

/// Fetches what the App Store knows about a subscription: all its transactions, and the state of its next renewal.
package struct HistoryRefresh: Sendable {
    package let intake: HistoryIntake
    /// The Server APIs by bundle id. An app without an issuer id has none.
    package let serverAPIs: [String: ServerAPI]

    package init(intake: HistoryIntake, serverAPIs: [String: ServerAPI]) {
        self.intake = intake
        self.serverAPIs = serverAPIs
    }

    /// Fetches everything that the Server API has about the customer of a transaction, and merges it.
    ///
    /// - Parameter answersPoll: whether the poller asks. If it does, storing the answer does not make the subscription due again
    ///   at once.
    package func refresh(
        transactionID: String,
        customerID: String?,
        from supplier: Supplier = .service,
        answersPoll: Bool = false,
        _ app: App
    ) async throws -> HistoryReport {
        guard let serverAPI = serverAPIs[app.bundleID] else {
            throw AppError.issuerIDMissing(app.bundleID)
        }
        do {
            let listed = try await serverAPI.history(of: transactionID, in: try await home(of: transactionID, app))
            let statuses = try await serverAPI.subscriptions(of: transactionID, in: listed.environment)
            var report = HistoryReport()
            let app = app.taking(listed.environment.purchases)
            let transactions = listed.signedTransactions + statuses.items.compactMap(\.signedTransactionInfo)
            var history = decode("signedTransactions", transactions, &report) { jws throws(SignedDataError) in
                try intake.reader.transaction(jws, for: app.identity)
            }
            let infos = statuses.items.compactMap(\.signedRenewalInfo)
            let renewals = decode("signedRenewalInfos", infos, &report) { jws throws(SignedDataError) in
                try intake.reader.renewalInfo(jws, for: app.identity)
            }
            // All pages were read, so there are no other transactions, unless some could not be decoded.
            let isWhole = listed.isComplete && report.rejected.isEmpty
            if isWhole {
                history = PurchaseHistory(history.chains.map { $0.listedFromStart() })
            }
            let merged = try await intake.take(
                history.merged(with: renewals), showsAccount: isWhole, in: listed.environment.purchases, answersPoll: answersPoll,
                customerID: customerID, from: supplier, app)
            return merged.adding(report.rejected)
        } catch let error as AppStoreError {
            throw HistoryError(error, now: intake.system.now())
        }
    }

    /// The environment in which the App Store is asked about a transaction first. It is the Sandbox if the store has the
    /// transaction there, and otherwise the app's own environment.
    private func home(of transactionID: String, _ app: App) async throws(StoreError) -> AppStoreEnvironment {
        guard let sandbox = app.sandbox else { return app.identity.environment }
        let known = try await intake.store.find(HistoryQuery(partition: sandbox.partition, transactionID: transactionID))
        return (known.history.chains.isEmpty ? app : sandbox).identity.environment
    }

    /// Decodes items. An item that cannot be used, such as a purchase in the other environment, is left out, and the report names
    /// it.
    private func decode(
        _ field: String,
        _ texts: [String],
        _ report: inout HistoryReport,
        _ decode: (String) throws(SignedDataError) -> PurchaseChain
    ) -> PurchaseHistory {
        var chains: [PurchaseChain] = []
        for (index, text) in texts.enumerated() {
            do {
                chains.append(try decode(text))
            } catch {
                report.reject(field, index, code: error.code.rawValue, error.detail)
            }
        }
        return PurchaseHistory(chains)
    }
}

extension HistoryError {
    private static let usualPause: Int64 = 30

    /// Distinguishes an answer in which the App Store refuses from a failure to get an answer.
    package init(_ error: AppStoreError, now: Instant) {
        switch error.code {
        case .notFound, .rejected, .appNotReleased:
            self = .refusedByAppStore(
                code: error.code.rawValue, detail: error.detail, isFinal: error.appleCode != nil)
        default:
            let wait = error.retryAt.map { max(1, ($0.milliseconds(since: now) + 999) / 1000) }
            self = .appStoreFailed(
                code: error.code.rawValue, detail: error.detail, retryAfter: wait ?? Self.usualPause)
        }
    }
}

extension PurchaseChain {
    fileprivate func listedFromStart() -> PurchaseChain {
        var copy = self
        copy.isListedFromStart = true
        return copy
    }
}
