/// All that is stored.
public struct Store: Sendable {
    /// What was signed, and by whom it may be.
    public let signing: SigningStore
    /// What customers bought.
    public let purchases: PurchaseStore
    /// Which signature was redeemed by which purchase.
    public let redemptions: any RedemptionStore

    /// Takes the parts as they are.
    public init(signing: SigningStore, purchases: PurchaseStore, redemptions: any RedemptionStore) {
        self.signing = signing
        self.purchases = purchases
        self.redemptions = redemptions
    }

    /// Closes everything once the work on it is done.
    public func close() throws(StoreError) {
        try signing.file.close()
        try purchases.file.close()
    }
}
