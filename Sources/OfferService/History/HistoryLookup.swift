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

    /// Merges the signed transactions of a request, and passes what they show to `reply`; nil if the request has none.
    ///
    /// It calls `reply` on the event loop of the lane. If there are no signed transactions, it calls `reply` at once.
    func takeSigned(
        of reference: CustomerReference,
        _ app: App,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<ShownPurchase?, any Error>) -> Void
    ) {
        // In an environment whose transactions cannot be verified, they are ignored rather than refused. An app that is tested
        // there sends the same requests as the released app.
        guard !reference.signedTransactions.isEmpty, app.policy.knowsPurchases else { return reply(.success(nil)) }
        lane.examine(
            { [intake] in
                try await intake.show(reference.signedTransactions, reference.customerID, from: supplier, app)
            }, reply: reply)
    }

    /// Merges the signed transactions of a request and looks the customer up.
    ///
    /// It calls `reply` on the event loop of the lane, with the history and what the transactions show.
    func find(
        _ reference: CustomerReference,
        _ app: App,
        isWhole: Bool = false,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<(StoredHistory, ShownPurchase?), any Error>) -> Void
    ) {
        takeSigned(of: reference, app, from: supplier, lane: lane) { [standing] shown in
            do {
                try standing?.check()
                let shown = try shown.get()
                guard let query = reference.query(in: app.partition, isWhole: isWhole, shown) else {
                    return reply(.success((.unknown, shown)))
                }
                lane.find(query) { result in reply(Result { (try result.get().reliable(), shown) }) }
            } catch {
                reply(.failure(error))
            }
        }
    }
}
