extension PurchaseChain {
    /// The account token that links the chain to a customer; nil if there is none, or it was erased.
    public var accountToken: String? {
        appAccountToken == PurchaseChain.erasedToken ? nil : appAccountToken?.value.string
    }

    /// The chain without its account token. It never receives one again.
    ///
    /// Apple repeats the token with each renewal. The empty token in its place is later than any statement can be.
    public var withoutAccountToken: PurchaseChain {
        var copy = self
        copy.appAccountToken = PurchaseChain.erasedToken
        return copy
    }

    private static let erasedToken = Stamped(
        ExactText(""), Stamp(asOf: Instant(milliseconds: .max), source: .signedData))
}
