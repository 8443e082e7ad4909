/// Sends requests to the App Store and collects responses.
package protocol AppStoreTransport: Sendable {
    /// Sends one request, once.
    func send(_ request: AppStoreRequest) async throws(AppStoreError) -> AppStoreResponse
}
