/// One of the names of a limit under which something may count. They all begin with the text of its scope.
public struct LimitName: Sendable {
    /// What the id is of. Stores have hashes of the words: they stay as they are.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// Whatever there is.
        case all
        /// Whoever the app says it is.
        case customer
        /// Whoever has an account token.
        case token
        /// An Apple account, by Apple's `appTransactionId`.
        case account
        /// Whoever bought a subscription, by Apple's `originalTransactionId`.
        case subscription

        /// What stands before the id.
        package var word: StaticString {
            switch self {
            case .all: ""
            case .customer: "customer"
            case .token: "token"
            case .account: "account"
            case .subscription: "subscription"
            }
        }
    }

    /// All that there is of the scope.
    public static let total = LimitName(.all, "")

    /// Tells one from another of its kind.
    public let id: String
    /// What the id is of.
    public let kind: Kind
    /// Whether the signature counts under it from now on; under the others there may be something that counts.
    public var isEntered: Bool

    /// Takes the values as they are.
    public init(_ kind: Kind, _ id: String, isEntered: Bool = true) {
        self.id = id
        self.kind = kind
        self.isEntered = isEntered
    }

    /// Whether it is the same name, entered or not.
    public func isSame(as other: LimitName) -> Bool { kind == other.kind && id == other.id }
}
