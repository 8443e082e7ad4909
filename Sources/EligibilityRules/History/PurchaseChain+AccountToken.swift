extension PurchaseChain {
    /// The `appAccountToken` that links the chain to a customer; nil if there is none, or if it was erased.
    public var accountToken: String? {
        appAccountToken == PurchaseChain.erasedToken ? nil : appAccountToken?.value.string
    }

    /// The chain without its `appAccountToken`, which it never receives again.
    ///
    /// Apple states the token again with each renewal. An empty token takes its place, with a stamp that is later than any
    /// statement, so that merging keeps the empty one.
    public var withoutAccountToken: PurchaseChain {
        var copy = self
        copy.appAccountToken = PurchaseChain.erasedToken
        return copy
    }

    private static let erasedToken = Stamped(
        ExactText(""), Stamp(asOf: Instant(milliseconds: .max), source: .signedData))
}
