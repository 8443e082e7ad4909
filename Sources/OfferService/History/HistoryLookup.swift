import EligibilityRules
import OfferStore

/// Looks up the purchase history that a request is about, whatever the request asks for.
package final class HistoryLookup: Sendable {
    let intake: HistoryIntake
    /// Asks the App Store about lapsed customers after a request was answered; nil if it is not to be asked.
    let lapsed: LapsedRefresher?
    private let standing: StoreStanding?

    /// - Parameter standing: shows whether the database still keeps commits; nil for SQLite files.
    package init(intake: HistoryIntake, lapsed: LapsedRefresher?, standing: StoreStanding? = nil) {
        self.intake = intake
        self.lapsed = lapsed
        self.standing = standing
    }

    /// Merges the signed transactions of a request and passes on what they show; nil if there are none.
    ///
    /// Calls `reply` on the lane's loop; at once if there are none.
    func takeSigned(
        of reference: CustomerReference,
        _ app: App,
        from supplier: Supplier,
        lane: StoreLane,
        reply: @escaping (Result<ShownPurchase?, any Error>) -> Void
    ) {
        // Ignored in environments whose transactions cannot be verified, because an app under test sends the same requests as the
        // released app.
        guard !reference.signedTransactions.isEmpty, app.policy.knowsPurchases else { return reply(.success(nil)) }
        lane.examine(
            { [intake] in
                try await intake.show(reference.signedTransactions, reference.customerID, from: supplier, app)
            }, reply: reply)
    }

    /// Merges the signed transactions and looks the customer up.
    ///
    /// Calls `reply` on the lane's loop, with what the transactions show.
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
