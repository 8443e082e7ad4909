/// Where the App Store is reached; configuration, so that tests can play it.
public struct AppStoreEndpoints: Equatable, Sendable {
    /// A pair of base URLs.
    public struct Pair: Equatable, Sendable {
        /// Base URL for production.
        public let production: String
        /// Base URL for the sandbox.
        public let sandbox: String

        /// Takes the values as they are.
        public init(production: String, sandbox: String) {
            self.production = production
            self.sandbox = sandbox
        }
    }

    /// Where receipts are verified.
    public let verifyReceipt: Pair
    /// The App Store Server API.
    public let serverAPI: Pair

    /// Takes the values as they are.
    public init(verifyReceipt: Pair, serverAPI: Pair) {
        self.verifyReceipt = verifyReceipt
        self.serverAPI = serverAPI
    }
}
