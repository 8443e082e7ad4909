package import EligibilityRules

/// What a store finds and writes of histories inside one transaction; `HistoryMerge` says what. Apps go by a number of the store's.
package protocol HistoryRows: AnyObject {
    /// The number of an app, made if it has none.
    func number(ofApp partition: AppPartition) throws -> Int64

    /// The chain of an original transaction, all of it.
    func chain(originalTransactionID id: String, app: Int64) throws -> StoredChain?

    /// The chain of any transaction, all of it.
    func chain(transactionID id: String, app: Int64) throws -> StoredChain?

    /// The original transactions of the subscriptions that have taken the place of another one.
    func successors(ofOriginalTransactionID id: String, app: Int64) throws -> [String]

    /// The customers to whom chains of an Apple account are bound.
    func customers(ofAccount appTransactionID: String, app: Int64) throws -> [String]

    /// The customer whom a name stands for: the name itself, unless it is an alias.
    func customer(named name: String, app: Int64) throws -> String

    /// All chains of a customer, all of each.
    func chains(ofCustomer customerID: String, app: Int64) throws -> [StoredChain]

    /// All chains that were bought with a token, all of each.
    func chains(ofToken token: String, app: Int64) throws -> [StoredChain]

    /// The names that stand for a customer.
    func aliases(of customerID: String, app: Int64) throws -> [String]

    /// What is kept of a customer beside the chains; nil if nothing is known of them.
    func times(ofCustomer customerID: String, app: Int64) throws -> CustomerTimes?

    /// Makes a customer's name, and those that stand for them, stand for another one, of whom these times are kept.
    func alias(_ name: String, of customerID: String, app: Int64, _ times: CustomerTimes) throws

    /// What is drawn of a customer; nil if nothing is.
    func customer(_ customerID: String, app: Int64) throws -> StoredHistory?

    /// The group that was last noted for a product.
    func group(ofProduct productID: String, app: Int64) throws -> SeenGroup?

    /// Writes a chain, in place of a stored one or as a new one; returns its number.
    func write(_ row: ChainRow, over id: Int64?, app: Int64) throws -> Int64

    /// Lets a transaction lead to a chain, unless it leads to one.
    func index(_ transactionID: String, app: Int64, chain: Int64) throws

    /// Notes a redemption of a chain's, unless it is noted.
    func note(_ redemption: RedemptionRecord, app: Int64, chain: Int64) throws

    /// Has the redemptions of a chain that were tied to nothing looked at again.
    func searchAgain(chain: Int64) throws

    /// Keeps a notification; false if it was there already.
    func keep(_ notification: NotificationRecord, app: Int64) throws -> Bool

    /// Takes the content from the notifications of a chain, which are known all the same if they come again. Returns how many had any.
    func blankNotifications(ofOriginalTransactionID id: String, app: Int64) throws -> Int

    /// Notes a group in place of the one noted for its product.
    func note(_ group: SeenGroup, app: Int64) throws

    /// Draws what a look-up of a customer reads anew from the chains; the times are merged with those that are known.
    func draw(_ customerID: String, app: Int64, _ times: CustomerTimes) throws

    /// What is known of the receipt of an original transaction; nil if none is kept.
    func receipt(ofOriginalTransactionID id: String, app: Int64) throws -> ReceiptStanding?

    /// Keeps a receipt in place of the one that there is.
    func keep(_ receipt: KeptReceipt, at now: Instant, dueAt: Instant?, app: Int64) throws

    /// Sets when the App Store is to be asked with the receipt of an original transaction.
    func scheduleReceipt(ofOriginalTransactionID id: String, at instant: Instant?, app: Int64) throws

    /// Forgets what is drawn of a customer; false if nothing was.
    func forget(_ customerID: String, app: Int64) throws -> Bool
}
