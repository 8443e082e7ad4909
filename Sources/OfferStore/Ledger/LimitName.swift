/// A name that uses of a limit count under. It follows the text of its scope.
public struct LimitName: Sendable {
    /// The kind of id. Stores contain hashes of the words, so they must not change.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// Everything in the scope.
        case all
        /// A customer, by the app's own id.
        case customer
        /// The holder of an account token.
        case token
        /// An Apple account, by Apple's `appTransactionId`.
        case account
        /// The buyer of a subscription, by Apple's `originalTransactionId`.
        case subscription

        /// The text before the id.
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

    /// The name of everything in the scope.
    public static let total = LimitName(.all, "")

    /// The id, unique within its kind.
    public let id: String
    /// The kind of id.
    public let kind: Kind
    /// Whether the signature will count under the name.
    ///
    /// Earlier uses under the name count in any case.
    public var isEntered: Bool

    /// Stores the given values without checking them.
    public init(_ kind: Kind, _ id: String, isEntered: Bool = true) {
        self.id = id
        self.kind = kind
        self.isEntered = isEntered
    }

    /// Whether the names are equal, entered or not.
    public func isSame(as other: LimitName) -> Bool { kind == other.kind && id == other.id }
}
