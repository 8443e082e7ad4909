import EligibilityRules
import OfferStore
import OfferStoreSQL

/// Searches backwards for the signatures of several redemptions at once, one slice at a time, with the index on times.
///
/// Each signature is read once. An index on customers would find signatures at once, but cost a page write for every signature.
struct RedemptionSearch: Sendable {
    /// Number of signatures in a slice: about 20 ms.
    private static let slice: Int64 = 50_000
    /// Maximum number of slices before a purchase: a million signatures.
    private static let maxSteps = 20

    private struct Sought: Sendable {
        var candidates: RedemptionCandidates
        var steps = 0
        var isDone: Bool

        var match: RedemptionMatch { candidates.match }
    }

    private var sought: [Sought]
    /// How far back the search has come. It begins at the latest time, and has covered all times after this one.
    private var end = Instant(milliseconds: .max)

    init(_ untied: [UntiedRedemption]) {
        sought = untied.map { Sought(candidates: RedemptionCandidates($0.match), isDone: !$0.isAnySigned) }
    }

    /// Whether the search is complete.
    var isDone: Bool { sought.allSatisfy(\.isDone) }

    /// The candidates for each redemption, in order.
    var candidates: [RedemptionCandidates] { sought.map(\.candidates) }

    /// Searches the next slice.
    mutating func step(_ transaction: Transaction) throws {
        let open = sought.indices.filter { !sought[$0].isDone }
        guard let first = open.map({ sought[$0].match.first }).min(), let last = open.map({ sought[$0].match.last }).max() else {
            return
        }
        end = min(end, last)
        let start = max(first, try start(transaction) ?? first)
        try transaction.run([statement(from: start, open.map { sought[$0].match })]).first!.forEach { row in
            for index in open where !sought[index].candidates.isFull && sought[index].match.mayBeOf(row) {
                try sought[index].candidates.add(row)
            }
        }
        for index in open {
            let match = sought[index].match
            if match.last >= end { sought[index].steps += 1 }
            sought[index].isDone =
                sought[index].candidates.isFull || sought[index].steps == Self.maxSteps || match.first >= start
        }
        end = start.advanced(by: -1)
    }

    /// The start of a slice that ends at the search's position; nil if fewer signatures remain.
    private func start(_ transaction: Transaction) throws -> Instant? {
        try transaction.run(
            "SELECT signed_at FROM signed_request WHERE signed_at <= $1 ORDER BY signed_at DESC OFFSET $2 LIMIT 1",
            .instant(end), .number(Self.slice)
        ).first { $0.instant(0) }
    }

    /// Selects rows that may match.
    ///
    /// PostgreSQL leaves out most rows that do not match, and each `match` decides about the rest.
    private func statement(from start: Instant, _ matches: [RedemptionMatch]) -> SQLStatement {
        SQLStatement(
            """
            SELECT signed_at, bundle_id, customer_id, application_username, transaction_id, offers, nonces FROM signed_request
            WHERE signed_at >= $1 AND signed_at <= $2 AND (customer_id IN (SELECT unnest($3))
                OR application_username IN (SELECT unnest($4)) OR transaction_id IN (SELECT unnest($5)))
            ORDER BY signed_at DESC, id DESC
            """,
            [
                .instant(start), .instant(end), .texts(matches.flatMap(\.customerIDs)),
                .texts(matches.compactMap(\.appAccountToken)), .texts(matches.flatMap { $0.transactionIDs.map(\.string) }),
            ])
    }
}

extension RedemptionMatch {
    fileprivate func mayBeOf(_ row: Row) -> Bool {
        mayBeOf(
            partition: AppPartition(name: row.text(1)), customerID: row.optionalText(2),
            applicationUsername: row.optionalText(3), transactionID: row.optionalText(4), signedAt: row.instant(0))
    }
}

extension RedemptionCandidates {
    fileprivate mutating func add(_ row: Row) throws {
        let bytes = row.bytes(6)
        try bytes.withUnsafeBytes { try add(offers: row.text(5), nonces: $0) }
    }
}
