// The declarations of SwiftUI that the client guide and Examples/SwiftUI use, as Apple documents them. They have no function:
// with them the type checker can check both on Linux.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import StoreKit

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        fatalError()
    }
    public static func buildOptional<Content: View>(_ content: Content?) -> Content? { content }
}
public struct TupleView<Content>: View { public var body: Never { fatalError() } }

@MainActor public protocol Scene {
    associatedtype Body: Scene
    var body: Body { get }
}
extension Never: Scene {}
@MainActor public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}
extension App { public static func main() {} }
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct Text: View {
    public init(_ content: String) {}
    public var body: Never { fatalError() }
}
public struct Button: View {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
    public var body: Never { fatalError() }
}
public struct VStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
    public var body: Never { fatalError() }
}
extension View {
    nonisolated public func disabled(_ disabled: Bool) -> some View { EmptyView() }
    nonisolated public func task(_ action: @escaping @Sendable () async -> Void) -> some View { EmptyView() }
}

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
