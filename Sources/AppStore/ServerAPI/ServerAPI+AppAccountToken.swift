import WireText

extension ServerAPI {
    /// Replaces the `appAccountToken` of a subscription's transactions with a UUID.
    ///
    /// - Parameter originalTransactionID: the original transaction. The id of another transaction is not accepted.
    package func setAppAccountToken(
        _ token: String,
        ofOriginalTransaction originalTransactionID: String,
        in environment: AppStoreEnvironment
    ) async throws(AppStoreError) {
        let id = try URLText.transactionID(originalTransactionID)
        let body = JSONWriter.bytes { json in
            json.append(raw: #"{"appAccountToken":"#)
            json.append(token)
            json.append(raw: "}")
        }
        _ = try await ask(host(of: environment), .put, "/inApps/v1/transactions/\(id)/appAccountToken", .json(body))
    }
}
