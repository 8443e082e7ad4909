import EligibilityRules
import FoundationEssentials
import OfferStore
import OfferStoreSQL

/// The rows that a batch adds to `signed_request` and `nonce_series`.
struct SignedRequestRows {
    private var entries: [LedgerEntry] = []
    private var ids: [Int64?] = []
    private var nonces: [[UInt8]?] = []
    private var digests: [[UInt8]?] = []
    private var offers: [String?] = []
    private var links: [[UInt8]?] = []
    private var chains: [Int64?] = []
    private var series: [(partition: Int64, series: Int64, request: Int64)] = []
    private let partitions: [Int64: Int64]

    /// - Parameter partitions: the partitions of the nonces, by day of issue.
    init(_ partitions: [Int64: Int64]) { self.partitions = partitions }

    /// Adds an entry, and links its row to the audit log. Returns the row's number.
    mutating func append(_ entry: LedgerEntry, _ audit: AuditWriter, _ transaction: Transaction) throws -> Int64 {
        let id = try audit.nextID(.signatures, at: entry.signedAt, transaction)
        let nonces = entry.signatures.flatMap { $0.nonce.bytes }
        let digests = entry.signatures.flatMap(\.digest)
        var offers: [UInt8] = []
        entry.signatures.withUnsafeBufferPointer { OfferList.append($0, to: &offers) }
        nonces.withUnsafeBytes { nonces in
            digests.withUnsafeBytes { digests in
                offers.withUnsafeBytes { offers in
                    audit.row.encode(entry, id: id, nonces: nonces, digests: digests, offers: offers, audit.identity.keyed)
                }
            }
        }
        let (chain, link) = audit.link(.signatures, id: id)
        entries.append(entry)
        ids.append(id)
        self.nonces.append(nonces)
        self.digests.append(digests)
        self.offers.append(String(decoding: offers, as: UTF8.self))
        chains.append(chain)
        links.append(link.bytes)
        let first = series.count
        for index in entry.signatures.indices {
            let row = (partitions[entry.signatures[index].issuedDay]!, entry.signatures[index].nonce.seriesNumber, id)
            if !series[first...].contains(where: { $0 == row }) { series.append(row) }
        }
        return id
    }

    /// Inserts the rows. If a series was taken meanwhile, the transaction fails and is retried.
    mutating func enqueue(_ transaction: Transaction) throws {
        guard let chain = chains.last, let latest = entries.map(\.signedAt).max() else { return }
        // A fixed order prevents deadlocks between batches.
        series.sort { $0.series < $1.series }
        try transaction.enqueue(
            "INSERT INTO nonce_series (issued_day, series, signed_request) SELECT * FROM unnest($1, $2, $3)",
            .numbers(series.map(\.partition)), .numbers(series.map(\.series)), .numbers(series.map(\.request)))
        try transaction.enqueue(
            """
            INSERT INTO signed_request (id, \(LedgerEntry.columns), chain, link)
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
            """, .numbers(ids), .numbers(entries.map(\.signedAt.milliseconds)), .texts(entries.map(\.partition.name)),
            .texts(entries.map(\.keyID)), .texts(entries.map(\.form.rawValue)), .texts(entries.map(\.request.caller)),
            .texts(entries.map(\.request.customerID)), .texts(entries.map(\.request.applicationUsername)),
            .texts(entries.map(\.request.transactionID)), .texts(entries.map(\.request.id)),
            .texts(entries.map(\.request.address)),
            .blobs(nonces), .blobs(digests), .texts(offers), .numbers(chains), .blobs(links))
        try transaction.enqueue(
            """
            INSERT INTO latest_signature (chain, at) VALUES ($1, $2)
            ON CONFLICT (chain) DO UPDATE SET at = greatest(latest_signature.at, excluded.at)
            """, .number(chain), .instant(latest))
    }
}
