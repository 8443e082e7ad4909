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
