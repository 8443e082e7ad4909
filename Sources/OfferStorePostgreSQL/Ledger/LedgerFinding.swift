import EligibilityRules
import FoundationEssentials
import OfferStore
import OfferStoreSQL

/// Finds what a batch of submissions needs, in one round trip.
///
/// The transaction then holds locks, until it ends, on everything that other processes could take at the same time.
final class LedgerFinding {
    private let keys: LedgerKeys
    private var facts = LedgerFacts()
    /// A number for each signature.
    private var numbers: [UUID: Int64] = [:]

    private init(_ keys: LedgerKeys) { self.keys = keys }

    /// Finds what is stored for a batch's keys.
    ///
    /// - Parameter partitions: the partitions of the nonces, by day of issue.
    static func run(_ keys: LedgerKeys, _ partitions: [Int64: Int64], _ transaction: Transaction) throws -> LedgerFacts {
        let finding = LedgerFinding(keys)
        var looks = Looks()
        finding.lookForRevocations(&looks)
        if !keys.names.isEmpty { finding.lookForLimits(&looks) }
        if !keys.answers.isEmpty { finding.lookForAnswers(&looks) }
        if !keys.holds.isEmpty {
            looks.add(ExposureRows.lookStatement(keys.holds)) { finding.facts.holders = ExposureRows.holders($0) }
        }
        var series: [Int64: [Int64]] = [:]
        for one in keys.series { series[partitions[one.issuedDay]!, default: []].append(Int64(bitPattern: one.number)) }
        for (partition, numbers) in series {
            // The statement names the partition, because planning for all partitions and locking them would cost more than the
            // look-up.
            looks.add("SELECT series FROM nonce_series_\(partition) WHERE series = ANY($1)", .numbers(numbers)) { rows in
                rows.forEach { finding.facts.series.insert(UInt64(bitPattern: $0.number(0))) }
            }
        }
        try looks.run(transaction)
        return finding.facts
    }

    /// Looks for revoked access keys and signing keys.
    ///
    /// A revocation is either durable and visible before this transaction, or waits until this transaction has ended.
    private func lookForRevocations(_ looks: inout Looks) {
        // A table lock is fair, whereas shared row locks could keep a revocation waiting for ever. The check of readiness takes
        // this lock, too, so that it waits whenever a signature would.
        looks.add("LOCK TABLE revocation_gate IN ROW SHARE MODE") { _ in }
        guard !keys.callers.isEmpty else { return }
        let signers = keys.signers
        let sql = """
            SELECT key_id, bundle_id FROM unnest($1, $2) AS used (key_id, bundle_id)
            WHERE EXISTS (SELECT 1 FROM key_decision AS made
                WHERE made.key_id = used.key_id AND made.bundle_id = used.bundle_id AND state = $3)
            """
        looks.add(
            sql, .texts(signers.map(\.keyID)), .texts(signers.map(\.bundleID)), .text(KeyDecision.revoked)
        ) { [self] rows in
            rows.forEach { facts.revokedSigners.insert(SigningKeyUse(keyID: $0.text(0), bundleID: $0.text(1))) }
        }
        looks.add(
            "SELECT id FROM access WHERE id = ANY($1) AND revoked_at IS NOT NULL", .texts(keys.callers)
        ) { [self] rows in rows.forEach { facts.revokedCallers.insert($0.text(0)) } }
    }

    private func lookForAnswers(_ looks: inout Looks) {
        // The rows are locked. So if two transactions replace the same old answer, the second one finds the answer of the first.
        let sql = """
            SELECT kept.caller, kept.key, request_digest, answer, created_at
            FROM idempotency AS kept JOIN unnest($1, $2) AS wanted (caller, key) ON kept.caller = wanted.caller AND kept.key = wanted.key
            ORDER BY kept.caller, kept.key FOR UPDATE OF kept
            """
        looks.add(sql, .texts(keys.answers.map(\.caller)), .texts(keys.answers.map(\.key))) { [self] rows in
            rows.forEach { row in
                let record = IdempotencyRecord(row)
                facts.answers[LedgerKeys.Answer(record)] = record
            }
        }
    }

    private func lookForLimits(_ looks: inout Looks) {
        let totals = keys.totals.keys.map(\.hash).sorted()
        let counted = Set(keys.names.filter(\.isCounted).map(\.key.hash)).sorted()
        LimitRows.lock(Set(keys.names.filter(\.isTaken).map(\.key)), &looks)
        if !totals.isEmpty { lookForTotals(totals, &looks) }
        guard !counted.isEmpty else { return }
        let takesPlaces = keys.names.contains { $0.isTaken && keys.totals[$0.key] != nil }
        // A signature that may pass on its place is locked, so that it is not removed meanwhile. One that has lapsed is not:
        // the process that removes it holds it, and waits for the totals that this transaction has locked.
        let sql = """
            SELECT limit_key, name.until, nonce, held, names[1], staying_names[1]
            FROM reservation_name AS name JOIN reservation AS signature USING (nonce)
            WHERE limit_key = ANY($1) AND name.until > $2
            ORDER BY name.until, nonce\(takesPlaces ? " FOR UPDATE OF signature" : "")
            """
        looks.add(sql, .numbers(counted), .instant(keys.latest ?? Instant(milliseconds: 0))) { [self] rows in
            rows.forEach { insert(outstanding: $0) }
        }
        looks.add(
            "SELECT limit_key, transaction_id, at, is_refunded FROM offer_use WHERE limit_key = ANY($1)", .numbers(counted)
        ) { [self] rows in
            rows.forEach { row in
                let use = CountedUse(transactionID: row.bytes(1), at: row.instant(2), isRefunded: row.flag(3))
                facts.uses[LimitKey(row.number(0)), default: LimitUses()].redeemed.append(use)
            }
        }
    }

    /// - Parameter row: `limit_key`, `until`, `nonce`, `held`, and the first name in each scope.
    private func insert(outstanding row: Row) {
        let nonce = row.nonce(2)
        let number = numbers[nonce] ?? Int64(numbers.count)
        numbers[nonce] = number
        let signature = OutstandingSignature(
            id: number, until: row.instant(1), nonce: nonce, held: row.numbers(3).map { LimitKey($0) },
            owners: [row.optionalNumber(4), row.optionalNumber(5)].compactMap { $0.map { LimitKey($0) } })
        facts.uses[LimitKey(row.number(0)), default: LimitUses()].outstanding.append(signature)
    }

    /// Looks up totals.
    ///
    /// Lapsed signatures do not count, although their rows may remain.
    private func lookForTotals(_ totals: [Int64], _ looks: inout Looks) {
        let sql = """
            SELECT limit_key, outstanding - (SELECT count(*) FROM reservation_name AS lapsed
                    WHERE lapsed.limit_key = total.limit_key AND until <= $2), redeemed, refunded,
                (SELECT min(until) FROM reservation_name AS next WHERE next.limit_key = total.limit_key AND until > $2)
            FROM offer_limit AS total WHERE limit_key = ANY($1)
            """
        looks.add(sql, .numbers(totals), .instant(keys.latest)) { [self] rows in
            rows.forEach { row in
                facts.totals[LimitKey(row.number(0))] = LimitTotal(
                    outstanding: Int(row.number(1)), redeemed: Int(row.number(2)), refunded: Int(row.number(3)),
                    firstUntil: row.optionalInstant(4))
            }
        }
    }
}
