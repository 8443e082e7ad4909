import WireText

extension ServerAPI {
    /// Makes a UUID the `appAccountToken` of a subscription's transactions, in place of what they have.
    ///
    /// - Parameter originalTransactionID: no other transaction of it will do.
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
