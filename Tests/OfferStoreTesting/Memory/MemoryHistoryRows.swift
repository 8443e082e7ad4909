import EligibilityRules
import Foundation
import OfferStore

/// The rows of histories in arrays, searched from end to end: the rules are `OfferStore`'s.
final class MemoryHistoryRows: HistoryRows {
    /// A text of an app's.
    struct Key: Hashable {
        let app: Int64
        let text: ExactText

        init(_ app: Int64, _ text: String) { (self.app, self.text) = (app, ExactText(text)) }
    }

    /// A chain as its bytes and what stands beside them; its number is its place.
    struct Chain {
        let app: Int64
        var row: ChainRow
        var pollAt: Instant?
        var gist: [UInt8]
        var record: [UInt8]
    }

    struct NotedRedemption {
        let app: Int64
        let chain: Int64
        let record: RedemptionRecord
        var isSearched = false
        var nonce: UUID?
        var version: Int64 = 1
        var counted: Int64 = 0
    }

    struct Receipt {
        var record: ReceiptRecord
        var standing: ReceiptStanding
    }

    /// A receipt's name in an app.
    struct ReceiptKey: Hashable {
        let app: Int64
        let name: ReceiptName
    }

    /// An app's number is its place.
    private(set) var apps: [AppPartition] = []
    var chains: [Chain] = []
    var redemptions: [Key: NotedRedemption] = [:]
    var receipts: [ReceiptKey: Receipt] = [:]
    private(set) var groups: [Key: SeenGroup] = [:]
    private(set) var notifications: [(app: Int64, record: NotificationRecord)] = []
    /// Transactions that do not lead to their chains yet.
    var toIndex: [(Key, chain: Int64)] = []
    private var index: [Key: Int64] = [:]
    private var customers: [Key: CustomerTimes] = [:]
    private(set) var aliases: [Key: String] = [:]
    private let decoder = ChainRecord.Decoder()

    /// Lets transactions lead to their chains.
    func enter(_ entries: [(Key, chain: Int64)]) { for (key, chain) in entries { index[key] = index[key] ?? chain } }

    /// Nil for an app of which nothing is stored.
    func existing(_ partition: AppPartition) -> Int64? { apps.firstIndex(of: partition).map(Int64.init) }

    func stored(_ number: Int, _ extent: StoredChain.Extent) -> StoredChain {
        let chain = chains[number]
        return (extent == .gist ? chain.gist : chain.record).withUnsafeBytes { bytes in
            StoredChain(
                id: Int64(number), originalID: ChainRecord.OriginalID(chain.row.chain.originalID),
                owner: chain.row.owner, updatedAt: chain.row.updatedAt, bytes: bytes, decoder)
        }
    }

    /// The numbers of an app's chains.
    func numbers(_ app: Int64, where isMeant: (ChainRow) -> Bool) -> [Int] {
        chains.indices.filter { chains[$0].app == app && isMeant(chains[$0].row) }
    }

    func number(ofTransaction id: String, app: Int64) -> Int? {
        numbers(app) { ExactText($0.chain.originalID) == ExactText(id) }.first ?? index[Key(app, id)].map(Int.init)
    }

    /// The names of an app's customers, sorted, aliases not among them.
    func customerNames(_ app: Int64) -> [String] {
        customers.keys.filter { $0.app == app && aliases[$0] == nil }.map(\.text).sorted().map(\.string)
    }

    /// What a look-up of a customer reads.
    func record(_ name: String, app: Int64) -> HistoryRecord? {
        let customerID = customer(named: name, app: app)
        guard let times = customers[Key(app, customerID)] else { return nil }
        let own = numbers(app) { $0.isSubscription && ($0.owner?.customerID).isExactly(customerID) }
        let accounts = Set(own.compactMap { chains[$0].row.chain.appTransactionID.map { ExactText($0) } })
        let others = numbers(app) { row in
            row.isSubscription && !(row.owner?.customerID).isExactly(customerID)
                && row.chain.appTransactionID.map { accounts.contains(ExactText($0)) } ?? false
        }
        return HistoryRecord(.customer(times, name: customerID, bytes: gists(own), account: gists(others)))
    }

    private func gists(_ numbers: [Int]) -> [UInt8] {
        var record = CustomerRecord()
        for number in numbers {
            let row = chains[number].row
            chains[number].gist.withUnsafeBytes {
                record.append(ChainRecord.OriginalID(row.chain.originalID), updatedAt: row.updatedAt, gist: $0)
            }
        }
        return record.bytes
    }

    func blankNotifications(ofOriginalTransactionID id: String, app: Int64) -> Int {
        var count = 0
        for (index, each) in notifications.enumerated()
        where each.app == app && each.record.originalTransactionID.isExactly(id) && !each.record.body.isEmpty {
            let record = each.record
            notifications[index].record = NotificationRecord(
                key: record.key, version: record.version, type: record.type, subtype: record.subtype,
                originalTransactionID: record.originalTransactionID, body: [], receivedAt: record.receivedAt)
            count += 1
        }
        return count
    }

    func forget(_ customerID: String, app: Int64) -> Bool {
        aliases[Key(app, customerID)] = nil
        return customers.removeValue(forKey: Key(app, customerID)) != nil
    }

    func customers(ofAccount appTransactionID: String, app: Int64) -> [String] {
        numbers(app) { $0.isSubscription && $0.chain.appTransactionID.isExactly(appTransactionID) }
            .compactMap { chains[$0].row.owner?.customerID }
    }

    func number(ofApp partition: AppPartition) -> Int64 {
        if let number = existing(partition) { return number }
        apps.append(partition)
        return Int64(apps.count - 1)
    }

    func chain(originalTransactionID id: String, app: Int64) -> StoredChain? {
        numbers(app) { ExactText($0.chain.originalID) == ExactText(id) }.first.map { stored($0, .whole) }
    }

    func chain(transactionID id: String, app: Int64) -> StoredChain? {
        number(ofTransaction: id, app: app).map { stored($0, .whole) }
    }

    func successors(ofOriginalTransactionID id: String, app: Int64) -> [String] {
        numbers(app) { $0.chain.previousOriginalID.isExactly(id) }.map { chains[$0].row.chain.originalID }
    }

    func customer(named name: String, app: Int64) -> String { aliases[Key(app, name)] ?? name }

    func chains(ofCustomer customerID: String, app: Int64) -> [StoredChain] {
        numbers(app) { ($0.owner?.customerID).isExactly(customerID) }.map { stored($0, .whole) }
    }

    func chains(ofToken token: String, app: Int64) -> [StoredChain] {
        numbers(app) { $0.chain.accountToken.isExactly(token) }.map { stored($0, .whole) }
    }

    func times(ofCustomer customerID: String, app: Int64) -> CustomerTimes? { customers[Key(app, customerID)] }

    func alias(_ name: String, of customerID: String, app: Int64, _ times: CustomerTimes) {
        for (key, target) in aliases where key.app == app && ExactText(target) == ExactText(name) { aliases[key] = customerID }
        aliases[Key(app, name)] = customerID
        customers[Key(app, name)] = CustomerTimes()
        customers[Key(app, customerID)] = times
    }

    /// The names that stand for a customer.
    func aliases(of customerID: String, app: Int64) -> [String] {
        aliases.filter { $0.key.app == app && ExactText($0.value) == ExactText(customerID) }.map(\.key.text.string)
    }

    func customer(_ customerID: String, app: Int64) -> StoredHistory? {
        record(customerID, app: app).map(HistoryDecoder().history)
    }

    func group(ofProduct productID: String, app: Int64) -> SeenGroup? { groups[Key(app, productID)] }

    func write(_ row: ChainRow, over id: Int64?, app: Int64) -> Int64 {
        let chain = Chain(app: app, row: row, pollAt: row.pollAt, gist: row.gist, record: row.record)
        guard let id else {
            chains.append(chain)
            return Int64(chains.count - 1)
        }
        chains[Int(id)] = chain
        for (key, noted) in redemptions where noted.chain == id { redemptions[key]?.version += 1 }
        return id
    }

    func index(_ transactionID: String, app: Int64, chain: Int64) { toIndex.append((Key(app, transactionID), chain)) }

    func note(_ redemption: RedemptionRecord, app: Int64, chain: Int64) {
        let key = Key(app, redemption.transactionID)
        redemptions[key] = redemptions[key] ?? NotedRedemption(app: app, chain: chain, record: redemption)
    }

    func searchAgain(chain: Int64) {
        for (key, noted) in redemptions where noted.chain == chain && noted.nonce == nil { redemptions[key]?.isSearched = false }
    }

    func keep(_ notification: NotificationRecord, app: Int64) -> Bool {
        let isNew = !notifications.contains { $0.app == app && $0.record.key == notification.key }
        if isNew { notifications.append((app, notification)) }
        return isNew
    }

    func note(_ group: SeenGroup, app: Int64) { groups[Key(app, group.productID)] = group }

    func receipt(ofOriginalTransactionID id: String, app: Int64) -> ReceiptStanding? {
        receipts[ReceiptKey(app: app, name: .subscription(id))]?.standing
    }

    func keep(_ receipt: KeptReceipt, at now: Instant, dueAt: Instant?, app: Int64) {
        let name = ReceiptName.subscription(receipt.originalTransactionID)
        let record = ReceiptRecord(
            partition: apps[Int(app)], name: name, customerID: nil, sealed: receipt.sealed, keptAt: now, failures: 0,
            reason: nil)
        receipts[ReceiptKey(app: app, name: name)] = Receipt(
            record: record,
            standing: ReceiptStanding(
                shownAt: receipt.shownAt, verifiedAt: receipt.verifiedAt, dueAt: dueAt, reason: nil))
    }

    func scheduleReceipt(ofOriginalTransactionID id: String, at instant: Instant?, app: Int64) {
        schedule(ReceiptKey(app: app, name: .subscription(id)), at: instant)
    }

    func schedule(_ key: ReceiptKey, at instant: Instant?) {
        guard let known = receipts[key]?.standing else { return }
        receipts[key]?.standing = ReceiptStanding(
            shownAt: known.shownAt, verifiedAt: known.verifiedAt, dueAt: instant, reason: known.reason)
    }

    func draw(_ customerID: String, app: Int64, _ times: CustomerTimes) {
        let key = Key(app, customerID)
        customers[key] = customers[key]?.merged(with: times) ?? times
    }
}

extension Optional<String> {
    /// Whether it is a text of just these bytes.
    func isExactly(_ text: String) -> Bool { map { ExactText($0) == ExactText(text) } ?? false }
}
