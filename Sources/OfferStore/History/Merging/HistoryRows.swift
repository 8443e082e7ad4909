/// What a store finds and writes of histories inside one transaction; `HistoryMerge` says what. Each call takes all there is of its kind.
package protocol HistoryRows: AnyObject {
    /// The number of an app, made if it has none.
    func number(ofApp partition: AppPartition) throws -> Int64

    /// What there is of a batch's keys.
    func find(_ keys: HistoryKeys) throws -> HistoryFacts

    /// Keeps notifications in their order, no two of which have the same key, unless they are there. Returns those that were not.
    func keep(_ notifications: [(key: NotificationKey, record: NotificationRecord)]) throws -> Set<NotificationKey>

    /// Writes what was decided.
    func write(_ news: HistoryNews) throws

    /// Draws what a look-up of customers reads anew from the chains; the times are merged with those that are known.
    func draw(_ customers: [HistoryKey: CustomerTimes]) throws

    /// Makes a customer's name, and those that stand for them, stand for another one, of whom these times are kept.
    func alias(_ name: HistoryKey, of customerID: String, _ times: CustomerTimes) throws

    /// The names that stand for a customer.
    func aliases(of customer: HistoryKey) throws -> [String]

    /// Takes the content from the notifications of chains, which are known all the same if they come again. Returns how many had any.
    func blankNotifications(ofChains keys: Set<HistoryKey>) throws -> Int

    /// Forgets what is drawn of customers; false if nothing was.
    func forget(_ customers: [HistoryKey]) throws -> Bool
}
