package import EligibilityRules

/// What must be looked for in a store before a batch of submissions can be decided. A key may come more than once.
package struct LedgerKeys {
    /// Names an answer.
    package struct Answer: Hashable, Sendable {
        package let caller: String
        package let key: String

        /// That of a record.
        package init(_ record: IdempotencyRecord) { self.init(caller: record.caller, key: record.key) }

        /// Takes the values as they are.
        package init(caller: String, key: String) { (self.caller, self.key) = (caller, key) }
    }

    /// Names what counts for a limit.
    package struct Name: Sendable {
        package let key: LimitKey
        /// Whether a signature that counts under it may be given once more: then what is kept of it is needed.
        package let isReuse: Bool
        /// Whether something is asked for that counts: what others take meanwhile matters.
        package let isTaken: Bool
    }

    /// Keys that have signed.
    package private(set) var signers: Set<SigningKeyUse> = []
    /// Ids of access keys that have asked.
    package private(set) var callers: Set<String> = []
    /// Answers given before.
    package private(set) var answers: [Answer] = []
    /// Units that a campaign may hold.
    package private(set) var holds: [HoldKey] = []
    /// Every name of every reservation and probe, in their order; of a total its own.
    package private(set) var names: [Name] = []
    /// How many a total may have before it matters when the first of its signatures lapses.
    package private(set) var totals: [LimitKey: Int] = [:]
    /// Series of nonces that may be used.
    package private(set) var series: [UInt64] = []
    /// The latest instant at which something is taken of a total: what has lapsed by then does not count.
    package private(set) var latest: Instant?
    /// Of each submission in turn, where its names begin.
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
        if let caller = submission.caller { callers.insert(caller) }
        guard let entry = submission.entry else { return }
        signers.insert(SigningKeyUse(entry))
        let signatures = entry.signatures
        for index in signatures.indices where series.last != signatures[index].nonce.series {
            series.append(signatures[index].nonce.series)
        }
    }

    private mutating func insert(_ reservation: Reservation, isTaken: Bool, _ hash: LimitHash) {
        let first = names.count
        hash.forEach(of: reservation) { names.append(Name(key: $0, isReuse: reservation.isReuse, isTaken: isTaken)) }
        guard case .total(let max, _) = reservation.rule else { return }
        // One less for each that the batch may take.
        totals[names[first].key] = min(totals[names[first].key] ?? max, max) - 1
        latest = Swift.max(latest ?? reservation.madeAt, reservation.madeAt)
    }
}
