package import EligibilityRules

/// The names under which signatures and redemptions of one offer are counted, in one environment.
package struct OfferLimitNames: Sendable {
    // No id contains it: it separates what is signed.
    private static let separator = "\u{2063}"

    private let prefix: String

    package init(bundleID: String, environment: PurchaseEnvironment, productID: String, offerID: String) {
        prefix = [bundleID, "\(environment.rawValue)", productID, offerID, ""].joined(separator: Self.separator)
    }

    /// All of the offer.
    package var total: String { prefix }

    /// Those of whoever the app says it is.
    func customer(_ id: String) -> String { "\(prefix)customer\(id)" }

    /// Those of whoever has an account token.
    func token(_ token: String) -> String { "\(prefix)token\(token)" }

    /// Those of whoever made a purchase.
    func account(_ account: PurchaseAccount) -> String {
        switch account {
        case .apple(let id): "\(prefix)account\(id)"
        case .subscription(let id): "\(prefix)subscription\(id)"
        }
    }
}
