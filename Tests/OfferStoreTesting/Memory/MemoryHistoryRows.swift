import EligibilityRules
import Foundation
import OfferStore

/// The rows of histories in arrays, searched from end to end: the rules are `OfferStore`'s.
final class MemoryHistoryRows: HistoryRows {
    /// A chain as its bytes and what stands beside them; its number is its place.
    struct Chain {
        let app: Int64
        var row: ChainRow
        var pollAt: Instant?
        var summary: [UInt8]
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
        var state: ReceiptState
    }

    /// A receipt's name in an app.
    struct ReceiptKey: Hashable {
        let app: Int64
        let name: ReceiptName
    }

    /// Changes that make events, until they are collected.
    private(set) var events: [(number: Int64, recordedAt: Instant, event: PurchaseEvent)] = []
    private var lastEvent: Int64 = 0
    let keepsEvents: Bool
    /// An app's number is its place.
    private(set) var apps: [AppPartition] = []
    var chains: [Chain] = []
    var redemptions: [HistoryKey: NotedRedemption] = [:]
    var receipts: [ReceiptKey: Receipt] = [:]
    var refunds: [RefundRecord] = []
    var consents: [HistoryKey: ConsumptionConsent] = [:]
    private(set) var groups: [HistoryKey: SeenGroup] = [:]
    private(set) var notifications: [(app: Int64, record: NotificationRecord)] = []
    /// Transactions that do not lead to their chains yet.
    var toIndex: [(HistoryKey, chain: Int64)] = []
    /// How many notifications there were when so many ms were served in all.
    private var marks: [(served: Int64, notifications: Int)] = []
    /// The content of so many is gone.
    private var blanked = 0
    /// How often something was looked for.
    private(set) var looks = 0
    private var index: [HistoryKey: Int64] = [:]
    private var customers: [HistoryKey: CustomerTimes] = [:]
    private(set) var aliases: [HistoryKey: String] = [:]
    private let decoder = ChainRecord.Decoder()

    init(keepsEvents: Bool) { self.keepsEvents = keepsEvents }

    func dropEvents(through number: Int64) { events.removeAll { $0.number <= number } }

    /// Lets transactions lead to their chains.
    func enter(_ entries: [(HistoryKey, chain: Int64)]) { for (key, chain) in entries { index[key] = index[key] ?? chain } }

    /// Nil for an app of which nothing is stored.
    func existing(_ partition: AppPartition) -> Int64? { apps.firstIndex(of: partition).map(Int64.init) }

    func stored(_ number: Int, _ extent: StoredChain.Extent) -> StoredChain {
        let chain = chains[number]
        return (extent == .summary ? chain.summary : chain.record).withUnsafeBytes { bytes in
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
        numbers(app) { ExactText($0.chain.originalID) == ExactText(id) }.first ?? index[HistoryKey(app, id)].map(Int.init)
    }

    /// The names of an app's customers, sorted, aliases not among them.
    func customerNames(_ app: Int64) -> [String] {
        customers.keys.filter { $0.app == app && aliases[$0] == nil }.map(\.text).sorted().map(\.string)
    }

    /// What a look-up of a customer reads.
    func record(_ name: String, app: Int64) -> HistoryRecord? {
        let customerID = customer(named: name, app: app)
        guard let times = customers[HistoryKey(app, customerID)] else { return nil }
        let own = numbers(app) { $0.isSubscription && ($0.owner?.customerID).isExactly(customerID) }
        let accounts = Set(own.compactMap { chains[$0].row.chain.appTransactionID.map { ExactText($0) } })
        let others = numbers(app) { row in
            row.isSubscription && !(row.owner?.customerID).isExactly(customerID)
                && row.chain.appTransactionID.map { accounts.contains(ExactText($0)) } ?? false
        }
        return HistoryRecord(.customer(times, name: customerID, bytes: summaries(own), account: summaries(others)))
    }

    private func summaries(_ numbers: [Int]) -> [UInt8] {
        var record = CustomerRecord()
        for number in numbers {
            let row = chains[number].row
            chains[number].summary.withUnsafeBytes {
                record.append(ChainRecord.OriginalID(row.chain.originalID), updatedAt: row.updatedAt, summary: $0)
            }
        }
        return record.bytes
    }

    func number(ofApp partition: AppPartition) -> Int64 {
        if let number = existing(partition) { return number }
        apps.append(partition)
        return Int64(apps.count - 1)
    }

    func find(_ keys: HistoryKeys) -> HistoryFacts {
        looks += 1
        var facts = HistoryFacts()
        for key in keys.names { facts.names[key] = customer(named: key.string, app: key.app) }
        for key in keys.chains { facts.chains[key] = chains(key) { $0.chain.originalID }.first }
        for key in keys.transactions {
            facts.transactions[key] = number(ofTransaction: key.string, app: key.app).map { stored($0, .whole) }
        }
        for key in keys.successors { facts.successors[key] = chains(key, \.chain.previousOriginalID) }
        for key in keys.tokens { facts.tokens[key] = chains(key, \.chain.accountToken) }
        for key in keys.customers { facts.customers[key] = chains(key, \.owner?.customerID) }
        for key in keys.receipts {
            facts.receipts[key] = receipts[ReceiptKey(app: key.app, name: .subscription(key.string))]?.state
        }
        for key in keys.products { facts.groups[key] = groups[key] }
        for key in keys.customerSummaries { facts.customerSummaries[key] = record(key.string, app: key.app) }
        for key in keys.accounts {
            let chains = numbers(key.app) { $0.isSubscription && $0.chain.appTransactionID.isExactly(key.string) }
            facts.owners.formUnion(chains.compactMap { self.chains[$0].row.owner }.map { HistoryKey(key.app, $0.customerID) })
        }
        return facts
    }

    /// The chains of which a text is the key's.
    func chains(_ key: HistoryKey, _ text: (ChainRow) -> String?) -> [StoredChain] {
        numbers(key.app) { text($0).isExactly(key.string) }.map { stored($0, .whole) }
    }

    func keep(_ notifications: [(key: NotificationKey, record: NotificationRecord)]) -> Set<NotificationKey> {
        let new = notifications.filter { key, _ in
            !self.notifications.contains { $0.app == key.app && $0.record.key == key.key }
        }
        for (key, record) in new { self.notifications.append((key.app, record)) }
        return Set(new.map(\.key))
    }

    func blankNotifications(ofChains keys: Set<HistoryKey>) -> Int {
        var count = 0
        refunds.removeAll { record in
            existing(record.partition).map { keys.contains(HistoryKey($0, record.request.originalTransactionID)) } ?? false
        }
        for (index, each) in notifications.enumerated() where !each.record.body.isEmpty {
            let record = each.record
            guard let id = record.originalTransactionID, keys.contains(HistoryKey(each.app, id)) else { continue }
            notifications[index].record = record.blank
            count += 1
        }
        return count
    }

    func blankNotifications(servedSince age: Int64, of total: Int64, limit: Int) -> Int {
        marks.removeAll { $0.served > total }
        if !marks.contains(where: { $0.served > total - 3_600_000 }) { marks.append((total, notifications.count)) }
        let end = marks.last { $0.served <= total - age }?.notifications ?? 0
        var (work, next) = (0, blanked)
        while next < end, work < limit {
            work += 1 + notifications[next].record.body.count / 65_536
            next += 1
        }
        let due = blanked..<next
        let gone = due.map { (apps[Int(notifications[$0].app)], notifications[$0].record.key) }
        refunds.removeAll { record in gone.contains { $0 == (record.partition, record.request.notification) } }
        for index in due { notifications[index].record = notifications[index].record.blank }
        blanked = due.upperBound
        return work
    }

    func forget(_ customers: [HistoryKey]) -> Bool {
        for customer in customers { (aliases[customer], consents[customer]) = (nil, nil) }
        let erased = Set(customers.map { HistoryKey($0.app, $0.string) })
        events.removeAll { entry in
            guard let app = existing(entry.event.partition) else { return false }
            return [entry.event.customerID, entry.event.previousCustomerID].contains {
                $0.map { erased.contains(HistoryKey(app, $0)) } ?? false
            }
        }
        return customers.reduce(false) { self.customers.removeValue(forKey: $1) != nil || $0 }
    }

    func customer(named name: String, app: Int64) -> String { aliases[HistoryKey(app, name)] ?? name }

    func aliases(of customer: HistoryKey) -> [String] {
        aliases.filter { $0.key.app == customer.app && ExactText($0.value) == customer.text }.map(\.key.string)
    }

    func alias(_ name: HistoryKey, of customerID: String, _ times: CustomerTimes) {
        for alias in aliases(of: name) { aliases[HistoryKey(name.app, alias)] = customerID }
        aliases[name] = customerID
        customers[name] = CustomerTimes()
        customers[HistoryKey(name.app, customerID)] = times
    }

    func rebuildSummaries(_ customers: [HistoryKey: CustomerTimes]) {
        self.customers.merge(customers) { $0.merged(with: $1) }
    }

    func write(_ news: HistoryNews) {
        for chain in news.chains { write(chain) }
        groups.merge(news.groups) { $1 }
        refunds += news.refunds.map { app, request in
            RefundRecord(
                partition: apps[Int(app)], request: request,
                progress: RefundProgress(state: .waiting, dueAt: request.requestedAt))
        }
        for (event, recordedAt) in news.events {
            lastEvent += 1
            events.append((lastEvent, recordedAt, event))
        }
        for (key, receipt) in news.receipts {
            let name = ReceiptName.subscription(key.string)
            let place = ReceiptKey(app: key.app, name: name)
            switch receipt {
            case .kept(let receipt, let now, let dueAt):
                receipts[place] = Receipt(
                    record: ReceiptRecord(
                        partition: apps[Int(key.app)], name: name, customerID: nil, sealed: receipt.sealed, keptAt: now,
                        failures: 0, reason: nil),
                    state: ReceiptState(
                        shownAt: receipt.shownAt, verifiedAt: receipt.verifiedAt, dueAt: dueAt, reason: nil))
            case .scheduled(let instant): schedule(place, at: instant)
            }
        }
    }

    private func write(_ news: ChainNews) {
        let app = news.key.app
        guard let id = news.row.map({ write($0, over: news.id, app: app) }) ?? news.id else { return }
        if news.isSearchedAgain {
            for (key, noted) in redemptions where noted.chain == id && noted.nonce == nil { redemptions[key]?.isSearched = false }
        }
        for transaction in news.transactions { toIndex.append((HistoryKey(app, transaction), id)) }
        for redemption in news.redemptions {
            if redemption.otherIDs.contains(where: { redemptions[HistoryKey(app, $0)] != nil }) { continue }
            let key = HistoryKey(app, redemption.transactionID)
            redemptions[key] = redemptions[key] ?? NotedRedemption(app: app, chain: id, record: redemption)
        }
    }

    private func write(_ row: ChainRow, over id: Int64?, app: Int64) -> Int64 {
        let chain = Chain(app: app, row: row, pollAt: row.pollAt, summary: row.summary, record: row.record)
        guard let id else {
            chains.append(chain)
            return Int64(chains.count - 1)
        }
        chains[Int(id)] = chain
        for (key, noted) in redemptions where noted.chain == id { redemptions[key]?.version += 1 }
        return id
    }

    func schedule(_ key: ReceiptKey, at instant: Instant?) {
        guard let known = receipts[key]?.state else { return }
        receipts[key]?.state = ReceiptState(
            shownAt: known.shownAt, verifiedAt: known.verifiedAt, dueAt: instant, reason: known.reason)
    }
}

extension NotificationRecord {
    /// The same without content.
    var blank: NotificationRecord {
        NotificationRecord(
            key: key, version: version, type: type, subtype: subtype, originalTransactionID: originalTransactionID, body: [],
            receivedAt: receivedAt)
    }
}

extension Optional<String> {
    /// Whether it is a text of just these bytes.
    func isExactly(_ text: String) -> Bool { map { ExactText($0) == ExactText(text) } ?? false }
}
