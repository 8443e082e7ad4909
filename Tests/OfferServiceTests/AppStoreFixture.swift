import AppStore
import AppStoreTesting
import Synchronization

/// An App Store that has what a test gives it, and fails as the test says.
final class AppStoreFixture: Sendable {
    fileprivate struct State {
        var transactions: [String: String] = [:]
        var renewals: [String: String] = [:]
        var pages: [[String]] = []
        var faults: [String: AppStoreStub.Reply] = [:]
        var asked: [String] = []
    }

    private let state = Mutex(State())
    private let arrivals = AsyncStream.makeStream(of: String.self)

    /// What it was asked: `history ID`, `subscriptions ID`, `notifications BODY`, `notifications BODY TOKEN`.
    var asked: [String] { state.withLock(\.asked) }

    /// Lets it know a subscription.
    func sell(_ id: String, transaction: String, renewal: String? = nil) {
        state.withLock { ($0.transactions[id], $0.renewals[id]) = (transaction, renewal) }
    }

    /// The notifications that it has sent, in pages.
    func list(_ pages: [[String]]) { state.withLock { $0.pages = pages } }

    /// Lets it answer everything about an id so, or about `notifications`; nil: as it should.
    func answer(about id: String, _ reply: AppStoreStub.Reply?) { state.withLock { $0.faults[id] = reply } }

    /// Waits until it is asked; returns each question once. Nil if the test is over.
    func nextQuestion() async -> String? {
        var iterator = arrivals.stream.makeAsyncIterator()
        return await iterator.next()
    }

    /// Runs a test with it. The sandbox knows nothing.
    func serving(_ workshop: HistoryWorkshop, _ test: (ServerAPI) async throws -> Void) async throws {
        try await AppStoreStub.serve { request, _ in
            self.reply(to: request)
        } sandbox: { _, _ in
            .error(404, 4_040_010)
        } body: { production, sandbox in
            let endpoints = AppStoreEndpoints.Pair(production: production.baseURL, sandbox: sandbox.baseURL)
            try await test(workshop.serverAPI(endpoints, .toStub()))
        }
    }

    private func reply(to request: AppStoreStub.Request) -> AppStoreStub.Reply {
        let parts = request.uri.split(whereSeparator: { "/?=".contains($0) }).map(String.init)
        let isList = parts[2] == "notifications"
        let (subject, id) = (parts[2], isList ? "notifications" : parts[3])
        let question = isList ? "\(subject) \(request.body)" + (parts.count > 5 ? " \(parts[5])" : "") : "\(subject) \(id)"
        let reply = state.withLock { state in
            state.asked.append(question)
            return state.faults[id]
                ?? (isList ? state.page(Int(parts.last!) ?? 0) : subject == "history" ? state.history(id) : state.status(id))
        }
        arrivals.continuation.yield(question)
        return reply
    }
}

extension AppStoreFixture.State {
    fileprivate func history(_ id: String) -> AppStoreStub.Reply {
        guard let transaction = transactions[id] else { return .error(404, 4_040_010) }
        return .json(
            #"{"revision":"r","hasMore":false,"environment":"Production","signedTransactions":["\#(transaction)"]}"#)
    }

    fileprivate func status(_ id: String) -> AppStoreStub.Reply {
        let renewal = renewals[id].map { #","signedRenewalInfo":"\#($0)""# } ?? ""
        return .json(
            #"{"environment":"Production","data":[{"lastTransactions":[{"originalTransactionId":"\#(id)"\#(renewal)}]}]}"#)
    }

    fileprivate func page(_ number: Int) -> AppStoreStub.Reply {
        let payloads = pages.isEmpty ? "" : pages[number].map { #"{"signedPayload":"\#($0)"}"# }.joined(separator: ",")
        let more = number + 1 < pages.count ? #","hasMore":true,"paginationToken":"\#(number + 1)""# : #","hasMore":false"#
        return .json(#"{"notificationHistory":[\#(payloads)]\#(more)}"#)
    }
}
