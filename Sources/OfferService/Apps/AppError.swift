/// Why an app cannot be used as requested.
package enum AppError: Error, Equatable {
    case unknown(String)
    /// The caller's key does not cover this app.
    case notAllowed(String)
    /// No app was named and the caller may use several.
    case notNamed
    /// The app accepts no data of this environment.
    case environmentNotTaken(String, bundleID: String)
    /// Purchases in this environment cannot be known.
    case purchasesUnknown(String)
    /// The app's catalogue has no such product.
    case unknownProduct(String)
    /// The app has no issuer id, which a JWS and the Server API need.
    case issuerIDMissing(String)
}
