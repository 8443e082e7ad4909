/// The reads and writes of histories inside one transaction, as `HistoryMerge` directs. Each call covers everything of its kind.
package protocol HistoryRows: AnyObject {
    /// Whether changes of purchases, such as a renewal, are also recorded as events, which are sent to configured endpoints.
    var keepsEvents: Bool { get }

    /// The number of an app. Creates it if needed.
    func number(ofApp partition: AppPartition) throws -> Int64

    /// Finds what is stored for a batch's keys.
    func find(_ keys: HistoryKeys) throws -> HistoryFacts

    /// Stores notifications with distinct keys, in order, unless stored already. Returns the new ones.
    func keep(_ notifications: [(key: NotificationKey, record: NotificationRecord)]) throws -> Set<NotificationKey>

    /// Writes the decisions of a transaction.
    func write(_ news: HistoryNews) throws

    /// Rebuilds the stored records of customers from their chains, where the store keeps any. Merges stored and new times.
    func rebuildSummaries(_ customers: [HistoryKey: CustomerTimes]) throws

    /// Makes a customer's name and its aliases refer to another customer, and stores the customer's times.
    func alias(_ name: HistoryKey, of customerID: String, _ times: CustomerTimes) throws

    /// The aliases of a customer.
    func aliases(of customer: HistoryKey) throws -> [String]

    /// Deletes the content of the chains' notifications, but not their keys. Returns how many had content.
    func blankNotifications(ofChains keys: Set<HistoryKey>) throws -> Int

    /// Deletes customers' records. Returns false if there were none.
    func forget(_ customers: [HistoryKey]) throws -> Bool
}
