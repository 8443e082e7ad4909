import EligibilityRules
import OfferStore

extension OfferIssuer {
    /// Takes in the transactions that the request brings along and looks its customers' histories up.
    ///
    /// Nothing is looked up where the answer does not depend on it. `reply` comes on the lane's loop, at once or later, with the
    /// request as it is to be judged: who sends signed transactions has said whose history it is.
    func findHistories(
        _ request: SignatureRequest,
        of app: App,
        isWhole: Bool,
        from supplier: @autoclosure () -> Supplier,
        lane: StoreLane,
        reply: @escaping (Result<(SignatureRequest, RequestHistories), any Error>) -> Void
    ) {
        // Where none can be verified they are not looked at: the app under test is the one that is released.
        guard !request.signedTransactions.isEmpty, app.policy.knowsPurchases else {
            return find(request, of: app, isWhole: isWhole, lane: lane, reply: reply)
        }
        lane.examine({ [intake, supplier = supplier()] in
            try await intake.requireAll(request.signedTransactions, request.customerID, from: supplier, app)
        }) { [self] result in
            do {
                var request = request
                request.provenTransactionID = try result.get().first
                find(request, of: app, isWhole: isWhole, lane: lane, reply: reply)
            } catch {
                reply(.failure(error))
            }
        }
    }

    private func find(
        _ request: SignatureRequest,
        of app: App,
        isWhole: Bool,
        lane: StoreLane,
        reply: @escaping (Result<(SignatureRequest, RequestHistories), any Error>) -> Void
    ) {
        var histories = RequestHistories(of: request, in: app.partition, isWhole: isWhole)
        guard !histories.queries.isEmpty else { return reply(.success((request, histories))) }
        var failure: (any Error)?
        var missing = histories.queries.count
        for (place, query) in histories.queries.enumerated() {
            lane.find(query) { result in
                do {
                    histories.take(try result.get().reliable(), at: place)
                } catch {
                    failure = failure ?? error
                }
                missing -= 1
                if missing == 0 { reply(failure.map { .failure($0) } ?? .success((request, histories))) }
            }
        }
    }
}
