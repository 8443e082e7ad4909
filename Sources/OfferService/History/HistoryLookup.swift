import EligibilityRules
import OfferStore

/// Looks up the purchase history of the customer whom a request is about, for signatures, campaign offers and verdicts alike.
package final class HistoryLookup: Sendable {
    let intake: HistoryIntake
    /// Asks the App Store about lapsed customers after the request was answered; nil if the App Store is not to be asked.
    let lapsed: LapsedRefresher?
    private let standing: StoreStanding?

    /// - Parameter standing: shows whether the database still keeps commits; nil for SQLite files.
    package init(intake: HistoryIntake, lapsed: LapsedRefresher?, standing: StoreStanding? = nil) {
        self.intake = intake
        self.lapsed = lapsed
        self.standing = standing
    }

    /// Takes what is signed in a request: it verifies the AppTransaction, and merges the transactions.
    ///
    /// It calls `reply` on the event loop of the lane, with the reference that then names the proven Apple account, and with what
    /// the transactions show; nil if the request has none. If nothing is signed, it calls `reply` at once.
    func takeSigned(
        of reference: CustomerReference,
        _ app: App,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<(CustomerReference, ShownPurchase?), any Error>) -> Void
    ) {
        // In an environment whose transactions cannot be verified, they are ignored rather than refused. An app that is tested
        // there sends the same requests as the released app.
        guard !reference.signedTransactions.isEmpty || reference.signedAppTransaction != nil, app.policy.knowsPurchases else {
            return reply(.success((reference, nil)))
        }
        lane.examine(
            { [intake] in
                let proven = try reference.signedAppTransaction.map { jws in
                    reference.proving(appTransactionID: try intake.appTransactionID(in: jws, app))
                }
                guard !reference.signedTransactions.isEmpty else { return (proven ?? reference, nil) }
                let shown = try await intake.show(reference.signedTransactions, reference.customerID, from: supplier, app)
                return (proven ?? reference, shown)
            }, reply: reply)
    }

    /// Merges the signed transactions of a request and looks the customer up.
    ///
    /// It calls `reply` on the event loop of the lane, with the reference, the history and what the transactions show.
    func find(
        _ reference: CustomerReference,
        _ app: App,
        isWhole: Bool = false,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<(CustomerReference, StoredHistory, ShownPurchase?), any Error>) -> Void
    ) {
        takeSigned(of: reference, app, from: supplier, lane: lane) { [standing] shown in
            do {
                try standing?.check()
                let (reference, shown) = try shown.get()
                guard let query = reference.query(in: app.partition, isWhole: isWhole, shown) else {
                    return reply(.success((reference, .unknown, shown)))
                }
                lane.find(query) { result in reply(Result { (reference, try result.get().reliable(), shown) }) }
            } catch {
                reply(.failure(error))
            }
        }
    }
}
