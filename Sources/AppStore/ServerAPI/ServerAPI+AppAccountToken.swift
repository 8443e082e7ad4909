import WireText

extension ServerAPI {
    /// Replaces the `appAccountToken` of a subscription's transactions with a UUID.
    ///
    /// - Parameters:
    ///   - originalTransactionID: the original transaction id of the subscription. Apple accepts no other transaction id.
    ///   - home: the environment that the transaction belongs to.
    package func setAppAccountToken(
        _ token: String,
        ofOriginalTransaction originalTransactionID: String,
        of home: AppStoreEnvironment
    ) async throws(AppStoreError) {
        let id = try URLText.transactionID(originalTransactionID)
        let body = JSONWriter.bytes { json in
            json.append(raw: #"{"appAccountToken":"#)
            json.append(token)
            json.append(raw: "}")
        }
        _ = try await ask(about: home) { host throws(AppStoreError) in
            try await ask(host, .put, "/inApps/v1/transactions/\(id)/appAccountToken", .json(body))
        }
    }
}
