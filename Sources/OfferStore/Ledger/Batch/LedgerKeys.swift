package import EligibilityRules

/// What to look up in a store before a batch of submissions can be decided. A key may appear more than once.
package struct LedgerKeys {
    /// The key of an answer.
    package struct Answer: Hashable, Sendable {
        package let caller: String
        package let key: String

        package init(_ record: IdempotencyRecord) { self.init(caller: record.caller, key: record.key) }

        package init(caller: String, key: String) { (self.caller, self.key) = (caller, key) }
    }

    /// A name that uses of a limit count under.
    package struct Name: Sendable {
        package let key: LimitKey
        /// What to find under the name.
        package let needs: LimitNeeds
        /// Whether the submission itself adds a use under the name. Concurrent transactions that add one, too, must then wait.
        package let isTaken: Bool
    }

    /// A reservation or probe that earlier uses of its limit may forbid.
    package struct Count: Sendable {
        /// The indices of its names.
        package let names: Range<Int>
        /// With up to this many uses, the limit has room in any case.
        package let spare: Int
    }

    /// A series of nonces.
    package struct Series: Equatable, Sendable {
        package let number: UInt64
        /// The day since 1970 on which the nonces were issued.
        package let issuedDay: Int64

        /// The series of a signature's nonce.
        package init(_ signature: LedgerSignature) { (number, issuedDay) = (signature.nonce.series, signature.issuedDay) }
    }

    /// Signing keys used by the batch.
    package private(set) var signers: [SigningKeyUse] = []
    /// Ids of the callers' access keys.
    package private(set) var callers: [String] = []
    /// Keys of earlier answers.
    package private(set) var answers: [Answer] = []
    /// Units that a campaign may hold.
    package private(set) var holds: [HoldKey] = []
    /// The names of all reservations and probes, in order. A total has one name.
    package private(set) var names: [Name] = []
    /// The reservations and probes that earlier uses of their limits may forbid.
    package private(set) var counts: [Count] = []
    /// For each total, the number of uses from which on it matters whether signatures have lapsed.
    package private(set) var totals: [LimitKey: Int] = [:]
    /// Series of the entries' nonces.
    package private(set) var series: [Series] = []
    /// The latest instant at which a reservation of a total is made; nil if there is none.
    ///
    /// Signatures lapsed by then do not count.
    package private(set) var latest: Instant?
    /// For each submission, the index of its first name.
    private(set) var starts: [Int] = []

    init(_ jobs: [[LedgerSubmission]], _ hash: LimitHash) {
        for job in jobs {
            for index in job.indices {
                starts.append(names.count)
                insert(job[index], hash)
            }
        }
    }

    private mutating func insert(_ submission: LedgerSubmission, _ hash: LimitHash) {
        if let record = submission.idempotency { answers.append(Answer(record)) }
        for exposure in submission.exposures {
            if let key = exposure.holdKey { holds.append(key) }
        }
        for reservation in submission.reservations { insert(reservation, isTaken: true, hash) }
        for probe in submission.probes { insert(probe, isTaken: false, hash) }
        // Most submissions of a batch have the same caller and the same signing key, so comparing with the last one is enough.
        if let caller = submission.caller, caller != callers.last { callers.append(caller) }
        guard let entry = submission.entry else { return }
        let signer = SigningKeyUse(entry)
        if signer != signers.last { signers.append(signer) }
        let signatures = entry.signatures
        for index in signatures.indices {
            let one = Series(signatures[index])
            if series.last != one { series.append(one) }
        }
    }

    private mutating func insert(_ reservation: Reservation, isTaken: Bool, _ hash: LimitHash) {
        let first = names.count
        let needs = LimitNeeds(reservation)
        hash.forEach(of: reservation) { names.append(Name(key: $0, needs: needs, isTaken: isTaken)) }
        switch reservation.rule {
        case .uses(let terms):
            if needs.contains(.count) { counts.append(Count(names: first..<names.count, spare: terms.spare)) }
        case .total(let max, _):
            // One less for each use that this batch may add.
            totals[names[first].key] = min(totals[names[first].key] ?? max, max) - 1
            latest = Swift.max(latest ?? reservation.madeAt, reservation.madeAt)
        }
    }
}
