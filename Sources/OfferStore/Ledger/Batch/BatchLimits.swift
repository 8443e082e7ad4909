import EligibilityRules

/// Decides which reservations of a batch are granted, from what the store contains and what the batch has taken before.
struct BatchLimits {
    /// The indices of a granted reservation. A copy of the reservation would cost a dozen reference counts.
    private struct Taken {
        let job: Int
        let submission: Int
        let reservation: Int
        /// Whose place it belongs to: the first of its names.
        let owner: LimitKey
        /// The total in which it holds its customer's place; nil for none.
        var held: LimitKey?
    }

    /// A signature's place in a total.
    private struct Held: Hashable {
        let signature: Int64
        let total: LimitKey
    }

    private let jobs: [[LedgerSubmission]]
    private let names: [LedgerKeys.Name]
    private let found: [LimitKey: LimitUses]
    private var totals: [LimitKey: LimitTotal]
    /// The reservations granted for customers.
    private var taken: [Taken] = []
    /// For each name that a granted reservation counts under: its index in `taken`, and the previous link of the same name.
    private var links: [(taken: Int, previous: Int?)] = []
    /// The index of the latest link of each name.
    private var latest: [LimitKey: Int] = [:]
    /// The places that signatures of the store have passed on.
    private var passedOn: Set<Held> = []
    /// The places that the batch has taken in totals, or passed on.
    private(set) var places = PlaceChanges()

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
        var range = firstName..<firstName
        for index in wanted.indices {
            let owner = index > 0 && wanted[index - 1].sharesPlace(in: wanted[index]) ? names[range.lowerBound].key : nil
            range = range.upperBound..<range.upperBound + wanted[index].names.count
            // Earlier reservations of the same submission for the same limit.
            let pending = index == 0 ? 0 : wanted[..<index].count { $0.hasLimit(of: wanted[index]) }
            if let evidence = evidence(wanted[index], range, pending, owner: owner) {
                findings.append(LimitFinding(wanted[index].limit, .usedUp(evidence), room: pending))
            }
        }
        return findings
    }

    /// Why a reservation is refused; nil if it is not.
    ///
    /// - Parameters:
    ///   - range: the indices of the reservation's names.
    ///   - owner: for a total, the name under which signatures share a place; nil for none.
    private func evidence(
        _ reservation: Reservation,
        _ range: Range<Int>,
        _ pending: Int,
        owner: LimitKey?
    ) -> LimitEvidence? {
        switch reservation.rule {
        case .total(let max, let countsRefunded):
            let key = names[range.lowerBound].key
            let total = totals[key] ?? LimitTotal()
            let counted = total.counted(withRefunded: countsRefunded)
            // Earlier signatures of the submission share the place, too.
            let needed = owner == nil ? pending : 0
            guard counted + needed >= max else { return nil }
            if let owner, pending > 0 || holder(of: key, for: owner, at: reservation.madeAt) != nil { return nil }
            let freesAt = counted - max < total.outstanding ? total.firstUntil : nil
            return LimitEvidence(.total, max: max, counted: counted + needed, freesAt: freesAt)
        case .uses(let terms):
            guard terms.limitsUses else { return nil }
            let uses = uses(under: range, at: reservation.madeAt)
            guard pending > 0 || !uses.isEmpty || terms.outstanding == 0 || terms.redeemed == 0 else { return nil }
            let own = Array(repeating: LimitUse.outstanding(until: reservation.expiresAt), count: pending)
            return terms.usedUp(by: own + uses, at: reservation.madeAt)
        }
    }

    /// The uses under the names of a reservation, without lapsed ones.
    private func uses(under range: Range<Int>, at now: Instant) -> [LimitUse] {
        var uses: [LimitUse] = []
        // The same use may appear under several names.
        var (ids, transactions): (Set<Int64>, Set<[UInt8]>) = ([], [])
        for name in names[range] {
            forEachSignature(under: name.key, at: now) { signature in
                if ids.insert(signature.id).inserted { uses.append(.outstanding(until: signature.until)) }
            }
            guard let found = found[name.key] else { continue }
            for use in found.redeemed where transactions.insert(use.transactionID).inserted {
                uses.append(.redeemed(at: use.at, isRefunded: use.isRefunded))
            }
        }
        return uses
    }

    /// Calls `body` with the outstanding signatures of the store and of the batch that count under a name.
    ///
    /// The id of a signature of the batch is negative, and says its index in `taken`.
    private func forEachSignature(under name: LimitKey, at now: Instant, _ body: (OutstandingSignature) -> Void) {
        for signature in found[name]?.outstanding ?? [] where signature.until > now { body(signature) }
        var next = latest[name]
        while let link = next {
            let index = links[link].taken
            let reservation = reservation(of: taken[index])
            if reservation.expiresAt > now {
                body(
                    OutstandingSignature(
                        id: -1 - Int64(index), until: reservation.expiresAt, nonce: reservation.nonce,
                        held: taken[index].held.map { [$0] } ?? [], owners: [taken[index].owner]))
            }
            next = links[link].previous
        }
    }

    private func reservation(of taken: Taken) -> Reservation {
        jobs[taken.job][taken.submission].reservations[taken.reservation]
    }

    /// The signature that holds a customer's place in a total; nil if the customer has none.
    private func holder(of total: LimitKey, for owner: LimitKey, at now: Instant) -> OutstandingSignature? {
        var holder: OutstandingSignature?
        forEachSignature(under: owner, at: now) { signature in
            guard signature.held.contains(total), signature.owners.contains(owner),
                !passedOn.contains(Held(signature: signature.id, total: total))
            else { return }
            holder = signature
        }
        return holder
    }

    /// Takes the granted reservations of a submission.
    mutating func take(_ reservations: [Reservation], job: Int, submission: Int, firstName: Int) {
        var range = firstName..<firstName
        for index in reservations.indices {
            let isShared = index > 0 && reservations[index - 1].sharesPlace(in: reservations[index])
            let owner = isShared ? names[range.lowerBound].key : nil
            range = range.upperBound..<range.upperBound + reservations[index].names.count
            switch reservations[index].rule {
            case .total: take(total: names[range.lowerBound].key, reservations[index], owner: owner)
            case .uses:
                for position in reservations[index].names.indices where reservations[index].names[position].isEntered {
                    let key = names[range.lowerBound + position].key
                    links.append((taken.count, latest.updateValue(links.count, forKey: key)))
                }
                let first = names[range.lowerBound].key
                taken.append(Taken(job: job, submission: submission, reservation: index, owner: first))
            }
        }
    }

    /// Takes a place in a total, or takes over the one that an earlier signature of the customer holds.
    ///
    /// The signature that lapses last holds the place. Mostly that is the new one, but it may have been dated some time ago.
    private mutating func take(total: LimitKey, _ reservation: Reservation, owner: LimitKey?) {
        let holder = owner.flatMap { self.holder(of: total, for: $0, at: reservation.madeAt) }
        if let holder, holder.until > reservation.expiresAt {
            places.passOn(total, from: reservation.nonce)
        } else if owner != nil {
            if let holder { passOn(total, from: holder) }
            taken[taken.count - 1].held = total
        }
        guard holder == nil else { return }
        totals[total, default: LimitTotal()].outstanding += 1
        if totals[total]!.firstUntil == nil { totals[total]!.firstUntil = reservation.expiresAt }
        places.added[total, default: 0] += 1
    }

    private mutating func passOn(_ total: LimitKey, from holder: OutstandingSignature) {
        if holder.id < 0 {
            taken[Int(-1 - holder.id)].held = nil
            places.passOn(total, from: holder.nonce!)
        } else {
            passedOn.insert(Held(signature: holder.id, total: total))
            places.passedOn.append((holder, total))
        }
    }
}
