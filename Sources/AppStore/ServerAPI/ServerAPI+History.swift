extension ServerAPI {
    // These pages have ten thousand transactions. The caller continues a longer history from the returned revision.
    private static let maxPages = 500

    /// Returns all transactions of the customer who made one of them.
    ///
    /// - Parameters:
    ///   - transactionID: any transaction id of the customer.
    ///   - home: the environment that the transaction is known or assumed to belong to.
    ///   - revision: where an earlier list ended; nil for everything.
    package func history(
        of transactionID: String,
        in home: AppStoreEnvironment,
        from revision: String? = nil
    ) async throws(AppStoreError) -> TransactionHistory {
        let id = try URLText.transactionID(transactionID)
        return try await ask(about: home) { host throws(AppStoreError) in
            try await history(host, "/inApps/v2/history/\(id)?sort=ASCENDING", from: revision)
        }
    }

    private func history(
        _ host: AppStoreHost,
        _ path: String,
        from first: String?
    ) async throws(AppStoreError) -> TransactionHistory {
        var (transactions, revision, environment, hasMore) = ([String](), first, host.environment, true)
        var pages = 0
        while hasMore, pages < ServerAPI.maxPages {
            let answer = try await ask(host, .get, path + (revision.map { "&revision=\(URLText.encoded($0))" } ?? ""))
            let next = answer.text("revision")
            hasMore = answer.flag("hasMore") ?? false
            guard !hasMore || (next != nil && next != revision) else {
                throw AppStoreError(.malformedAnswer, "the App Store announces a next page and does not name it")
            }
            transactions += answer.texts("signedTransactions") ?? []
            revision = next ?? revision
            environment = answer.environment ?? environment
            pages += 1
        }
        return TransactionHistory(
            signedTransactions: transactions, revision: revision, environment: environment, isComplete: !hasMore)
    }
}

/// The transactions of a customer, as the Server API lists them.
public struct TransactionHistory: Equatable, Sendable {
    /// The JWS of each transaction, the oldest change first. A transaction that has changed can occur again.
    public let signedTransactions: [String]
    /// The revision from which the next list continues; nil if there was no page.
    public let revision: String?
    /// The environment in which the purchases were made.
    public let environment: AppStoreEnvironment
    /// Whether the list was read to its end.
    public let isComplete: Bool
}
