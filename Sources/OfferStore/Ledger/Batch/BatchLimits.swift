import EligibilityRules

/// Decides which reservations of a batch are granted, from what the store contains and what the batch has taken before.
struct BatchLimits {
    /// The indices of a granted reservation. A copy of the reservation would cost a dozen reference counts.
    private struct Place {
        let job: Int
        let submission: Int
        let reservation: Int
    }

    private let jobs: [[LedgerSubmission]]
    private let names: [LedgerKeys.Name]
    private let found: [LimitKey: LimitUses]
    private var totals: [LimitKey: LimitTotal]
    /// The reservations granted for customers.
    private var taken: [Place] = []
    /// One link for each name that a granted reservation counts under: the reservation's index in `taken`, and the index of the
    /// previous link of the same name.
    private var links: [(taken: Int, previous: Int?)] = []
    /// The index of the latest link of each name.
    private var latest: [LimitKey: Int] = [:]
    /// The number of signatures that the batch adds to each total.
    private(set) var takenOfTotals: [LimitKey: Int] = [:]

    init(_ jobs: [[LedgerSubmission]], _ facts: LedgerFacts, _ keys: LedgerKeys) {
        (self.jobs, names, found, totals) = (jobs, keys.names, facts.uses, facts.totals)
        latest.reserveCapacity(names.count)
        links.reserveCapacity(names.count)
    }

    /// The limits that refuse a submission's reservations and probes; empty for none.
    func findings(_ submission: LedgerSubmission, firstName: Int) -> [LimitFinding] {
        // Most submissions have no probes, and need no combined list.
        let wanted = submission.probes.isEmpty ? submission.reservations : submission.reservations + submission.probes
        var findings: [LimitFinding] = []
        var first = firstName
        for index in wanted.indices {
            let range = first..<first + wanted[index].names.count
            // Earlier reservations of the same submission for the same limit.
            let pending = index == 0 ? 0 : wanted[..<index].count { $0.hasLimit(of: wanted[index]) }
            if let reason = reason(wanted[index], range, pending, submission.entry) {
                findings.append(LimitFinding(wanted[index].limit, reason, room: pending))
            }
            first = range.upperBound
        }
        return findings
    }

    /// - Parameter range: the indices of the reservation's names.
    private func reason(
        _ reservation: Reservation,
        _ range: Range<Int>,
        _ pending: Int,
        _ entry: LedgerEntry?
    ) -> LimitFinding.Reason? {
        switch reservation.rule {
        case .total(let max, let countsRefunded):
            let total = totals[names[range.lowerBound].key] ?? LimitTotal()
            let counted = total.counted(withRefunded: countsRefunded)
            guard counted + pending >= max else { return nil }
            let freesAt = counted - max < total.outstanding ? total.firstUntil : nil
            return .usedUp(LimitEvidence(.total, max: max, counted: counted + pending, freesAt: freesAt))
        case .uses(let terms):
            guard !LimitNeeds(reservation).isEmpty else { return nil }
            let (uses, earlier) = uses(under: range, of: reservation, for: entry)
            if let earlier { return .outstanding(earlier) }
            guard pending > 0 || !uses.isEmpty || terms.outstanding == 0 || terms.redeemed == 0 else { return nil }
            let own = Array(repeating: LimitUse.outstanding(until: reservation.expiresAt), count: pending)
            return terms.usedUp(by: own + uses, at: reservation.madeAt).map { .usedUp($0) }
        }
    }

    /// The uses that count for a reservation, and an outstanding signature that can be returned again.
    ///
    /// - Parameter range: the indices of the reservation's names.
    private func uses(
        under range: Range<Int>,
        of reservation: Reservation,
        for entry: LedgerEntry?
    ) -> (uses: [LimitUse], earlier: EarlierSignature?) {
        var uses: [LimitUse] = []
        var earlier: EarlierSignature?
        // The same use may appear under several names.
        var (ids, transactions): (Set<Int64>, Set<[UInt8]>) = ([], [])
        func count(_ id: Int64, until: Instant, _ kept: OutstandingSignature.Kept?) {
            guard until > reservation.madeAt else { return }
            if ids.insert(id).inserted { uses.append(.outstanding(until: until)) }
            // A signature may be found under several names, but with its content under only one of them.
            guard earlier == nil, reservation.takesEarlier(until: until) else { return }
            guard let kept, let entry, kept.entry.isGood(for: entry) else { return }
            earlier = EarlierSignature(kept.entry, nonce: kept.nonce, token: kept.token)
        }
        for name in names[range] {
            if let found = found[name.key] {
                for signature in found.outstanding { count(signature.id, until: signature.until, signature.kept) }
                for use in found.redeemed where transactions.insert(use.transactionID).inserted {
                    uses.append(.redeemed(at: use.at, isRefunded: use.isRefunded))
                }
            }
            var next = latest[name.key]
            while let link = next {
                let place = taken[links[link].taken]
                let submission = jobs[place.job][place.submission]
                let own = submission.reservations[place.reservation]
                let signed = own.token.isEmpty ? nil : submission.entry
                let kept = signed.map { OutstandingSignature.Kept($0, nonce: own.nonce, token: own.token) }
                // A negative id is a signature of this batch, as the store's ids are not negative.
                count(-1 - Int64(links[link].taken), until: own.expiresAt, kept)
                next = links[link].previous
            }
        }
        return (uses, earlier)
    }

    /// Takes the granted reservations of a submission.
    mutating func take(_ reservations: [Reservation], job: Int, submission: Int, firstName: Int) {
        var first = firstName
        for index in reservations.indices {
            switch reservations[index].rule {
            case .total: take(total: names[first].key, until: reservations[index].expiresAt)
            case .uses:
                for position in reservations[index].names.indices where reservations[index].names[position].isEntered {
                    links.append((taken.count, latest.updateValue(links.count, forKey: names[first + position].key)))
                }
                taken.append(Place(job: job, submission: submission, reservation: index))
            }
            first += reservations[index].names.count
        }
    }

    private mutating func take(total: LimitKey, until: Instant) {
        totals[total, default: LimitTotal()].outstanding += 1
        if totals[total]!.firstUntil == nil { totals[total]!.firstUntil = until }
        takenOfTotals[total, default: 0] += 1
    }
}
