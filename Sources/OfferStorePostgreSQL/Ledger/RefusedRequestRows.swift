import EligibilityRules
import OfferStore
import OfferStoreSQL

/// The rows that a batch adds to `refused_request`.
struct RefusedRequestRows {
    private var refusals: [LedgerRefusals] = []
    private var ids: [Int64?] = []
    private var offers: [String?] = []
    private var links: [[UInt8]?] = []
    private var chains: [Int64?] = []

    /// Adds refusals, and links their row to the audit log.
    mutating func append(_ refused: LedgerRefusals, _ audit: AuditWriter, _ transaction: Transaction) throws {
        let (id, list) = (try audit.nextID(.refusals, at: refused.refusedAt, transaction), refused.list)
        list.withUnsafeBytes { audit.row.encode(refused, id: id, offers: $0, audit.identity.keyed) }
        let (chain, link) = audit.link(.refusals, id: id)
        refusals.append(refused)
        ids.append(id)
        offers.append(String(decoding: list, as: UTF8.self))
        chains.append(chain)
        links.append(link.bytes)
    }

    /// Inserts the rows.
    func enqueue(_ transaction: Transaction) throws {
        guard !refusals.isEmpty else { return }
        try transaction.enqueue(
            """
            INSERT INTO refused_request (id, \(LedgerRefusals.columns), chain, link)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """, .numbers(ids), .numbers(refusals.map(\.refusedAt.milliseconds)), .texts(refusals.map(\.partition.name)),
            .texts(refusals.map(\.request.caller)), .texts(refusals.map(\.request.customerID)),
            .texts(refusals.map(\.request.applicationUsername)), .texts(refusals.map(\.request.transactionID)),
            .texts(refusals.map(\.request.id)), .texts(refusals.map(\.request.address)), .texts(offers), .numbers(chains),
            .blobs(links))
    }
}
