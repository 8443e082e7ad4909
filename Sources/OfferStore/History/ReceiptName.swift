/// The key of a stored receipt.
public enum ReceiptName: Hashable, Sendable {
    /// The original transaction of the receipt's subscription.
    case subscription(String)
    /// SHA-256 of a receipt whose content is not known yet.
    case unverified([UInt8])

    /// Whether the receipt's content is not known yet.
    public var isUnverified: Bool { if case .unverified = self { true } else { false } }
}
