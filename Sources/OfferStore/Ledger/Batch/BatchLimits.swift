import EligibilityRules

/// Decides which reservations of a batch are granted, from what the store contains and what the batch has taken before.
struct BatchLimits {
    /// The indices of a granted reservation. A copy of the reservation would cost a dozen reference counts.
    private struct Taken {
        let job: Int
        let submission: Int
        let reservation: Int
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
            let sharing = index > 0 && wanted[index - 1].sharesPlace(in: wanted[index]) ? range : nil
            range = range.upperBound..<range.upperBound + wanted[index].names.count
            // Earlier reservations of the same submission for the same limit.
            let pending = index == 0 ? 0 : wanted[..<index].count { $0.hasLimit(of: wanted[index]) }
            if let evidence = evidence(wanted[index], range, pending, sharing: sharing) {
                findings.append(LimitFinding(wanted[index].limit, .usedUp(evidence), room: pending))
            }
        }
        return findings
    }

    /// Why a reservation is refused; nil if it is not.
    ///
    /// - Parameters:
    ///   - range: the indices of the reservation's names.
    ///   - sharing: for a total, the indices of the names under which signatures share a place; nil for none.
    private func evidence(
        _ reservation: Reservation,
        _ range: Range<Int>,
        _ pending: Int,
        sharing: Range<Int>?
    ) -> LimitEvidence? {
        switch reservation.rule {
        case .total(let max, let countsRefunded):
            let key = names[range.lowerBound].key
            let total = totals[key] ?? LimitTotal()
            let counted = total.counted(withRefunded: countsRefunded)
            // Earlier signatures of the submission share the place, too.
            let needed = sharing == nil ? pending : 0
            guard counted + needed >= max else { return nil }
            if let sharing, pending > 0 || isPlaceHeld(in: key, under: sharing, at: reservation.madeAt) { return nil }
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
        forEachSignature(under: range, at: now) { signature in
            if ids.insert(signature.id).inserted { uses.append(.outstanding(until: signature.until)) }
        }
        for name in names[range] {
            guard let found = found[name.key] else { continue }
            for use in found.redeemed where transactions.insert(use.transactionID).inserted {
                uses.append(.redeemed(at: use.at, isRefunded: use.isRefunded))
            }
        }
        return uses
    }

    /// Calls `body` with the outstanding signatures of the store and of the batch, with each as often as it has one of the names.
    ///
    /// The id of a signature of the batch is negative, and says its place in `taken`.
    private func forEachSignature(under range: Range<Int>, at now: Instant, _ body: (OutstandingSignature) -> Void) {
        for name in names[range] {
            for signature in found[name.key]?.outstanding ?? [] where signature.until > now { body(signature) }
            var next = latest[name.key]
            while let link = next {
                let index = links[link].taken
                let reservation = reservation(of: taken[index])
                if reservation.expiresAt > now {
                    let held = taken[index].held.map { [$0] } ?? []
                    body(
                        OutstandingSignature(
                            id: -1 - Int64(index), until: reservation.expiresAt, nonce: reservation.nonce, held: held))
                }
                next = links[link].previous
            }
        }
    }

    private func reservation(of taken: Taken) -> Reservation {
        jobs[taken.job][taken.submission].reservations[taken.reservation]
    }

    private func isPlaceHeld(in total: LimitKey, under range: Range<Int>, at now: Instant) -> Bool {
        var isHeld = false
        forEachSignature(under: range, at: now) { if holds($0, total) { isHeld = true } }
        return isHeld
    }

    private func holds(_ signature: OutstandingSignature, _ total: LimitKey) -> Bool {
        signature.held.contains(total) && !passedOn.contains(Held(signature: signature.id, total: total))
    }

    /// Takes the granted reservations of a submission.
    mutating func take(_ reservations: [Reservation], job: Int, submission: Int, firstName: Int) {
        var range = firstName..<firstName
        for index in reservations.indices {
            let sharing = index > 0 && reservations[index - 1].sharesPlace(in: reservations[index]) ? range : nil
            range = range.upperBound..<range.upperBound + reservations[index].names.count
            switch reservations[index].rule {
            case .total: take(total: names[range.lowerBound].key, reservations[index], sharing: sharing)
            case .uses:
                for position in reservations[index].names.indices where reservations[index].names[position].isEntered {
                    let key = names[range.lowerBound + position].key
                    links.append((taken.count, latest.updateValue(links.count, forKey: key)))
                }
                taken.append(Taken(job: job, submission: submission, reservation: index))
            }
        }
    }

    /// Takes a place in a total, or takes over those that earlier signatures of the customer hold.
    ///
    /// The signature that lapses last holds the place. Mostly that is the new one, but it may have been dated some time ago.
    private mutating func take(total: LimitKey, _ reservation: Reservation, sharing: Range<Int>?) {
        var added = 1
        if let sharing {
            var holders: [Int64: OutstandingSignature] = [:]
            forEachSignature(under: sharing, at: reservation.madeAt) { if holds($0, total) { holders[$0.id] = $0 } }
            added -= holders.count
            let keeper = holders.values.first { holder in
                holder.until > reservation.expiresAt && holders.values.allSatisfy { $0.until <= holder.until }
            }
            for holder in holders.values where holder.id != keeper?.id { passOn(total, from: holder) }
            if keeper == nil { taken[taken.count - 1].held = total } else { places.passOn(total, from: reservation.nonce) }
        }
        totals[total, default: LimitTotal()].outstanding += added
        if totals[total]!.firstUntil == nil { totals[total]!.firstUntil = reservation.expiresAt }
        if added != 0 { places.added[total, default: 0] += added }
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
