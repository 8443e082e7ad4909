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
        lane: StoreLane,
        reply: @escaping (Result<(SignatureRequest, [FoundHistory]), any Error>) -> Void
    ) {
        guard !request.signedTransactions.isEmpty else {
            return find(queries(of: request, app), lane: lane) { reply($0.map { (request, $0) }) }
        }
        lane.examine({ [intake] in
            try await intake.requireAll(request.signedTransactions, request.customerID, app)
        }) { [self] result in
            do {
                var request = request
                request.provenTransactionID = try result.get().first
                find(queries(of: request, app), lane: lane) { [request] in reply($0.map { (request, $0) }) }
            } catch {
                reply(.failure(error))
            }
        }
    }

    private func queries(of request: SignatureRequest, _ app: App) -> [HistoryQuery] {
        var queries: [HistoryQuery] = []
        var hasPromotional = false
        for item in request.items {
            switch item.purpose {
            // They all ask about the same customer.
            case .promotionalOffer where hasPromotional: continue
            case .promotionalOffer: hasPromotional = true
            case .introductoryOffer(_, .some): continue
            case .introductoryOffer: break
            }
            if let query = request.historyQuery(for: item, bundleID: app.bundleID), queries.last != query {
                queries.append(query)
            }
        }
        return queries
    }

    private func find(
        _ queries: [HistoryQuery],
        lane: StoreLane,
        reply: @escaping (Result<[FoundHistory], any Error>) -> Void
    ) {
        guard !queries.isEmpty else { return reply(.success([])) }
        var found: [FoundHistory] = []
        var failure: (any Error)?
        var missing = queries.count
        for query in queries {
            lane.find(query) { result in
                do {
                    found.append(FoundHistory(query: query, stored: try result.get().reliable()))
                } catch {
                    failure = failure ?? error
                }
                missing -= 1
                if missing == 0 { reply(failure.map { .failure($0) } ?? .success(found)) }
            }
        }
    }
}
