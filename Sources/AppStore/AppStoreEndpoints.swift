/// The addresses of the App Store. They are configurable, so that a test server can take the App Store's place.
public struct AppStoreEndpoints: Equatable, Sendable {
    /// The URLs of one of the App Store's interfaces: one URL for production, one for the sandbox.
    public struct Pair: Equatable, Sendable {
        /// URL for production.
        public let production: String
        /// URL for the sandbox.
        public let sandbox: String

        /// - Parameters:
        ///   - production: an absolute URL. It is not checked here: a request to a malformed URL fails when it is sent.
        ///   - sandbox: the same for the sandbox.
        public init(production: String, sandbox: String) {
            self.production = production
            self.sandbox = sandbox
        }
    }

    /// The complete URLs that verify receipts.
    public let verifyReceipt: Pair
    /// The base URLs of the App Store Server API.
    public let serverAPI: Pair

    /// - Parameters:
    ///   - verifyReceipt: complete URLs, including the path.
    ///   - serverAPI: base URLs, to which the service appends paths such as `/inApps/v2/history/{transactionId}`.
    public init(verifyReceipt: Pair, serverAPI: Pair) {
        self.verifyReceipt = verifyReceipt
        self.serverAPI = serverAPI
    }
}
