import EligibilityRules
import WireText

/// Why an app cannot be used as requested.
package enum AppError: Error, Equatable {
    /// The configuration has no such app.
    ///
    /// `near` is a hint at apps with similar names, in the words of `NearNames`; empty if there are none.
    case unknown(String, near: String = "")
    /// The caller's key does not cover this app.
    case notAllowed(String)
    /// No app was named and the caller may use several.
    case notNamed
    /// The app accepts no data of this environment.
    case environmentNotTaken(String, bundleID: String)
    /// The service cannot know of purchases in this environment.
    case purchasesUnknown(String)
    /// The app's catalogue has no such product. `near` is as above.
    case unknownProduct(String, near: String = "")
    /// The app has no issuer id, which a JWS and the Server API need.
    case issuerIDMissing(String)
}

extension AppError: CustomStringConvertible {
    /// A whole sentence, or the end of one that begins with the name of the field that the error is about.
    package var description: String {
        switch self {
        case .unknown(let id, let near): "the configuration has no app \(id)\(near)"
        case .notAllowed(let id): "this access key is not for the app \(id)"
        case .notNamed: "is missing; this access key is good for several apps"
        case .environmentNotTaken(let environment, let bundleID):
            "\(bundleID) accepts no data of \(environment); "
                + (environment == App.Environment.xcode.rawValue
                    ? "set apps[].xcodeKey to the key of its StoreKit configuration file to sign for StoreKit Testing in Xcode"
                    : "set apps[].sandbox to accept the Sandbox beside Production")
        case .purchasesUnknown(let environment):
            "must be Production or Sandbox: nothing is known of purchases in \(environment)"
        case .unknownProduct(let id, let near): "the app's catalogue has no product \(id)\(near)"
        case .issuerIDMissing(let id):
            "a JWS and the App Store Server API need the issuer id: set issuerId of the app \(id)"
        }
    }
}

extension Catalogue {
    /// The product with this id. Throws `AppError.unknownProduct` if there is none.
    func knownProduct(_ id: String) throws(AppError) -> SubscriptionProduct {
        guard let product = product(id) else {
            throw .unknownProduct(id, near: NearNames.suggestion(for: id, among: products.keys.lazy.map(\.string)))
        }
        return product
    }
}
