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
        /// Whether to find the uses under the name. A total has only a count.
        package let isCounted: Bool
        /// Whether the submission takes a use under the name, so that concurrent takers matter.
        package let isTaken: Bool
    }

    /// A reservation or probe that earlier uses of its limit may forbid.
    package struct Count: Sendable {
        /// The indices of its names.
        package let names: Range<Int>
        /// With up to this many signatures and no redemption, the uses do not matter.
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
        insert(submission.reservations, isTaken: true, hash)
        insert(submission.probes, isTaken: false, hash)
        // Most submissions of a batch have the same ones.
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

    private mutating func insert(_ reservations: [Reservation], isTaken: Bool, _ hash: LimitHash) {
        for index in reservations.indices {
            let (reservation, first) = (reservations[index], names.count)
            switch reservation.rule {
            case .uses(let terms):
                let hasTotal = index + 1 < reservations.count && reservation.sharesPlace(in: reservations[index + 1])
                let isCounted = hasTotal || terms.limitsUses
                hash.forEach(of: reservation) { names.append(Name(key: $0, isCounted: isCounted, isTaken: isTaken)) }
                // Any earlier signature may hold the place in the total.
                let spare = hasTotal ? 0 : (terms.outstanding ?? .max) - 1
                if isCounted { counts.append(Count(names: first..<names.count, spare: spare)) }
            case .total(let max, _):
                hash.forEach(of: reservation) { names.append(Name(key: $0, isCounted: false, isTaken: isTaken)) }
                // One less for each use that the batch may take.
                totals[names[first].key] = min(totals[names[first].key] ?? max, max) - 1
                latest = Swift.max(latest ?? reservation.madeAt, reservation.madeAt)
            }
        }
    }
}
