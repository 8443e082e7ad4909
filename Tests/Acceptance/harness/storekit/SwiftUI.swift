// What the client guide uses of SwiftUI, declared as Apple's documentation does. Only for the type checker.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import StoreKit

@MainActor public protocol View {
    associatedtype Body: View
    var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }

public struct SubscriptionStoreView: View {
    public init(groupID: String) {}
    public var body: Never { fatalError() }
}

extension View {
    nonisolated public func subscriptionPromotionalOffer(
        offer: @escaping (Product, Product.SubscriptionInfo) -> Product.SubscriptionOffer?,
        compactJWS: @escaping (Product, Product.SubscriptionInfo, Product.SubscriptionOffer) async throws -> String
    ) -> some View { EmptyView() }
    nonisolated public func inAppPurchaseOptions(_ options: ((Product) async -> Set<Product.PurchaseOption>)?) -> some View {
        EmptyView()
    }
    nonisolated public func onInAppPurchaseCompletion(
        perform action: ((Product, Result<Product.PurchaseResult, any Error>) async -> Void)? = nil
    ) -> some View { EmptyView() }
}

public struct EmptyView: View {
    nonisolated public init() {}
    public var body: Never { fatalError() }
}
