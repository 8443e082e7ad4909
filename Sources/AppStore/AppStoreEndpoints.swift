/// Where the App Store is reached; configuration, so that tests can play it.
public struct AppStoreEndpoints: Equatable, Sendable {
    /// The same thing in both environments.
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

    /// Where receipts are verified: whole URLs.
    public let verifyReceipt: Pair
    /// The App Store Server API: base URLs.
    public let serverAPI: Pair

    /// Takes the values as they are.
    public init(verifyReceipt: Pair, serverAPI: Pair) {
        self.verifyReceipt = verifyReceipt
        self.serverAPI = serverAPI
    }
}
