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
    /// The caller that asked, and what it said.
    public let source: ExposureSource
    /// Whether a signature was issued with it.
    public let isSigned: Bool

    /// Takes the values as they are.
    public init(
        unit: String,
        variant: String?,
        revision: Int,
        at: Instant,
        source: ExposureSource,
        isSigned: Bool = false
    ) {
        self.unit = unit
        self.variant = variant
        self.revision = revision
        self.at = at
        self.source = source
        self.isSigned = isSigned
    }
}

/// The caller that asked when a unit was exposed, and what it said then.
public struct ExposureSource: Hashable, Sendable {
    /// Id of the caller's access key; one common id for all end users' tokens.
    public let caller: String
    /// The attribute `storefront` as sent; nil if it is not a short text.
    public let storefront: String?
    /// The attribute `appVersion` as sent; nil if it is not a short text.
    public let appVersion: String?

    /// Takes the values as they are.
    public init(caller: String, storefront: String? = nil, appVersion: String? = nil) {
        self.caller = caller
        self.storefront = storefront
        self.appVersion = appVersion
    }
}
