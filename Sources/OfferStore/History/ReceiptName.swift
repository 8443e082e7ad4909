/// What a kept receipt goes by.
public enum ReceiptName: Hashable, Sendable {
    /// The original transaction of the subscription that it shows.
    case subscription(String)
    /// SHA-256 of a receipt of which it is not known yet what it shows.
    case unverified([UInt8])

    /// Whether nobody knows yet what it shows.
    public var isUnverified: Bool { if case .unverified = self { true } else { false } }
}
