/// The addresses of the App Store. They are configurable, so that a test server can take its place.
public struct AppStoreEndpoints: Equatable, Sendable {
    /// The URLs of one resource in both environments.
    public struct Pair: Equatable, Sendable {
        /// URL for production.
        public let production: String
        /// URL for the sandbox.
        public let sandbox: String

        /// Takes the values as they are.
        public init(production: String, sandbox: String) {
            self.production = production
            self.sandbox = sandbox
        }
    }

    /// The complete URLs that verify receipts.
    public let verifyReceipt: Pair
    /// The base URLs of the App Store Server API.
    public let serverAPI: Pair

    /// Takes the values as they are.
    public init(verifyReceipt: Pair, serverAPI: Pair) {
        self.verifyReceipt = verifyReceipt
        self.serverAPI = serverAPI
    }
}
