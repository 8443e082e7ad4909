/// That a unit was exposed, once.
public struct UnitExposure: Hashable, Sendable {
    /// What was bucketed: a customer's id, an Apple account's or an original transaction's.
    public let unit: String
    /// Nil: held out.
    public let variant: String?
    /// Number of the campaign's revision that decided.
    public let revision: Int
    /// When.
    public let at: Instant
    /// Who asked: a caller's id.
    public let caller: String
    /// As it was known then; nil if nobody knew it.
    public let storefront: String?
    /// As the caller said it; nil if it did not.
    public let appVersion: String?
    /// Whether a signature was given with it.
    public let isSigned: Bool

    /// Takes the values as they are.
    public init(
        unit: String,
        variant: String?,
        revision: Int,
        at: Instant,
        caller: String,
        storefront: String? = nil,
        appVersion: String? = nil,
        isSigned: Bool = false
    ) {
        self.unit = unit
        self.variant = variant
        self.revision = revision
        self.at = at
        self.caller = caller
        self.storefront = storefront
        self.appVersion = appVersion
        self.isSigned = isSigned
    }
}
