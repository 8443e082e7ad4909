/// Where the App Store is reached; configuration, so that tests can play it.
public struct AppStoreEndpoints: Equatable, Sendable {
    /// A pair of base URLs.
    public struct Pair: Equatable, Sendable {
        public let production: String
        public let sandbox: String

        public init(production: String, sandbox: String) {
            self.production = production
            self.sandbox = sandbox
        }
    }

    public let verifyReceipt: Pair
    public let serverAPI: Pair

    public init(verifyReceipt: Pair, serverAPI: Pair) {
        self.verifyReceipt = verifyReceipt
        self.serverAPI = serverAPI
    }
}
