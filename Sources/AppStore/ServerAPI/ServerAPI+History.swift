extension ServerAPI {
    // The most pages of one call. At 20 transactions a page they have ten thousand transactions. The caller reads the rest of a
    // longer history with another call, from the returned revision on.
    private static let maxPages = 500

    /// Returns all transactions of the customer who made a given transaction.
    ///
    /// - Parameters:
    ///   - transactionID: any transaction id of the customer.
    ///   - home: the environment that the transaction is known or assumed to belong to.
    ///   - revision: the revision at which an earlier call ended; nil to begin with the first transaction.
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
    /// The JWS of each transaction, in the order of the last changes, oldest first. If a transaction changes while the list is
    /// read, it can occur twice.
    public let signedTransactions: [String]
    /// The revision from which the next call continues; nil if the App Store has stated none.
    public let revision: String?
    /// The environment in which the purchases were made.
    public let environment: AppStoreEnvironment
    /// Whether the list was read to its end.
    public let isComplete: Bool
}
