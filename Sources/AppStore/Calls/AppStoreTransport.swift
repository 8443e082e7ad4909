/// Sends requests to the App Store and returns the responses.
package protocol AppStoreTransport: Sendable {
    /// Sends a request once. It does not repeat a request that fails: the caller decides about that.
    func send(_ request: AppStoreRequest) async throws(AppStoreError) -> AppStoreResponse
}
