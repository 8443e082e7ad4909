extension PurchaseChain {
    /// The account token that leads from the chain to a customer; nil where there is none, or it was erased.
    public var accountToken: String? {
        appAccountToken == PurchaseChain.erasedToken ? nil : appAccountToken?.value.string
    }

    /// The chain without its account token, and never with one again.
    ///
    /// Apple repeats the token with each renewal. What stands in its place is later than anything that can be said.
    public var withoutAccountToken: PurchaseChain {
        var copy = self
        copy.appAccountToken = PurchaseChain.erasedToken
        return copy
    }

    private static let erasedToken = Stamped(
        ExactText(""), Stamp(asOf: Instant(milliseconds: .max), source: .signedData))
}
