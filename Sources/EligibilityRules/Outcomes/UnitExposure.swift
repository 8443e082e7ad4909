/// One exposure of a unit: the record that a campaign took it, and with which variant.
public struct UnitExposure: Hashable, Sendable {
    /// The id that was bucketed: a customer's id, an Apple account's or an original transaction's.
    public let unit: String
    /// The id of the variant; nil for the holdout.
    public let variant: String?
    /// The number of the campaign's revision that decided.
    public let revision: Int
    /// When the exposure took place.
    public let at: Instant
    /// The caller that asked, and what it said about the customer.
    public let source: ExposureSource
    /// Whether a signature was issued with the exposure.
    public let isSigned: Bool

    /// Stores the given values without checking them.
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

/// The caller that asked when a unit was exposed, and what it said about the customer.
public struct ExposureSource: Hashable, Sendable {
    /// The id of the caller's access key; the tokens of all end users share one id.
    public let caller: String
    /// The attribute `storefront` as sent; nil if it is missing or not a short text.
    public let storefront: String?
    /// The attribute `appVersion` as sent; nil if it is missing or not a short text.
    public let appVersion: String?

    /// Stores the given values without checking them.
    public init(caller: String, storefront: String? = nil, appVersion: String? = nil) {
        self.caller = caller
        self.storefront = storefront
        self.appVersion = appVersion
    }
}
