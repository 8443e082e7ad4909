/// Sends requests to the App Store and collects responses.
package protocol AppStoreTransport: Sendable {
    /// Sends a request, without ever repeating it.
    func send(_ request: AppStoreRequest) async throws(AppStoreError) -> AppStoreResponse
}
