/// All stores of the service.
public struct Store: Sendable {
    /// Signatures, and access to signing.
    public let signing: SigningStore
    /// What customers bought.
    public let purchases: PurchaseStore
    /// Ties between redemptions and their signatures.
    public let redemptions: any RedemptionStore

    /// Groups the stores of one service.
    public init(signing: SigningStore, purchases: PurchaseStore, redemptions: any RedemptionStore) {
        self.signing = signing
        self.purchases = purchases
        self.redemptions = redemptions
    }

    /// Closes everything once pending work is done.
    public func close() throws(StoreError) {
        try signing.file.close()
        try purchases.file.close()
    }
}
