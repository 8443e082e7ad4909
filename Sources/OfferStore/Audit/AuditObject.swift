/// What an act was done to, before and after. No secrets, no personal data.
public struct AuditObject: Equatable, Sendable {
    /// The object, such as a key's id; nil where the act names none.
    public let id: String?
    /// Its state before.
    public let before: String?
    /// Its state after.
    public let after: String?

    /// Takes the values as they are.
    public init(_ id: String? = nil, before: String? = nil, after: String? = nil) {
        self.id = id
        self.before = before
        self.after = after
    }

    /// No object, and no state.
    public static let none = AuditObject()
}
