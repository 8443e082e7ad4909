/// One exposure of a unit.
public struct UnitExposure: Hashable, Sendable {
    /// The id that was bucketed: a customer's id, an Apple account's or an original transaction's.
    public let unit: String
    /// Nil for the holdout.
    public let variant: String?
    /// The number of the campaign's revision that decided.
    public let revision: Int
    /// When it took place.
    public let at: Instant
    /// The id of the caller that asked.
    public let caller: String
    /// The storefront as known then; nil if unknown.
    public let storefront: String?
    /// The version as the caller stated it; nil if it did not.
    public let appVersion: String?
    /// Whether a signature was issued with it.
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
