import EligibilityRules
package import FoundationEssentials

/// Submissions that share a transaction: what to look up, and the decisions on what was found.
///
/// This type alone contains the rules of the ledger; a store only reads and writes.
///
/// The rules for a submission apply in this order: revoked access key or signing key, earlier answer, hold of an exclusion group,
/// limits, nonce. What one submission takes counts for later submissions of the batch.
///
/// A nonce counts as used once a submission takes its series. An idempotency key conflicts if it has answered another request.
package struct LedgerBatch {
    /// The submissions, by caller.
    package let jobs: [[LedgerSubmission]]
    /// What to look up.
    package let keys: LedgerKeys

    /// - Parameter hash: the store's hash of limit names.
    package init(_ jobs: [[LedgerSubmission]], _ hash: LimitHash) {
        self.jobs = jobs
        keys = LedgerKeys(jobs, hash)
    }

    /// The index of a submission's first name among the keys. Names of probes follow those of reservations.
    ///
    /// - Parameter number: the submission's index, counted over all jobs.
    package func firstName(of number: Int) -> Int { keys.starts[number] }

    /// Decides on all submissions, in order.
    package func decide(_ facts: LedgerFacts) -> LedgerDecision {
        var deciding = Deciding(jobs, facts, keys)
        var decision = LedgerDecision()
        var number = 0
        decision.outcomes = jobs.indices.map { job in
            jobs[job].indices.map { submission in
                defer { number += 1 }
                return deciding.decide(jobs[job][submission], job, submission, firstName: keys.starts[number])
            }
        }
        (decision.holders, decision.places) = (deciding.newHolders, deciding.limits.places)
        return decision
    }

    /// The state during the decisions: what the store contains, and what the batch has taken.
    private struct Deciding {
        private let revokedSigners: Set<SigningKeyUse>
        private let revokedCallers: Set<String>
        private var answers: [LedgerKeys.Answer: IdempotencyRecord]
        private var holders: [HoldKey: String]
        private(set) var newHolders: [HoldKey: String] = [:]
        /// Series with a used nonce: what the store contains, and what the batch has taken.
        private var series: Set<UInt64>
        private(set) var limits: BatchLimits

        init(_ jobs: [[LedgerSubmission]], _ facts: LedgerFacts, _ keys: LedgerKeys) {
            (revokedSigners, revokedCallers) = (facts.revokedSigners, facts.revokedCallers)
            (answers, holders, series) = (facts.answers, facts.holders, facts.series)
            limits = BatchLimits(jobs, facts, keys)
            series.reserveCapacity(series.count + keys.series.count)
        }

        /// - Parameters:
        ///   - job: the index of the job.
        ///   - index: the index in the job.
        mutating func decide(_ submission: LedgerSubmission, _ job: Int, _ index: Int, firstName: Int) -> LedgerOutcome {
            if let outcome = refusal(of: submission) { return outcome }
            if let record = submission.idempotency, let kept = answers[LedgerKeys.Answer(record)],
                kept.createdAt.advanced(by: IdempotencyRecord.lifetime) > record.createdAt
            {
                return kept.requestDigest == record.requestDigest ? .answeredBefore(kept.answer) : .idempotencyKeyReused
            }
            let held = submission.exposures.isEmpty ? [] : holds(on: submission.exposures)
            guard held.isEmpty else { return .limited(held) }
            let isLimited = !submission.reservations.isEmpty || !submission.probes.isEmpty
            let findings = isLimited ? limits.findings(submission, firstName: firstName) : []
            guard findings.isEmpty else { return .limited(findings) }
            if let signatures = submission.entry?.signatures {
                if let nonce = take(signatures) { return .nonceReplayed(nonce) }
                limits.take(submission.reservations, job: job, submission: index, firstName: firstName)
            }
            for exposure in submission.exposures {
                guard let key = exposure.holdKey, holders[key] != exposure.arm.campaign else { continue }
                (holders[key], newHolders[key]) = (exposure.arm.campaign, exposure.arm.campaign)
            }
            if let record = submission.idempotency { answers[LedgerKeys.Answer(record)] = record }
            return .recorded
        }

        private func refusal(of submission: LedgerSubmission) -> LedgerOutcome? {
            // Most batches have no revoked keys, so avoid the look-up.
            if !revokedCallers.isEmpty, let caller = submission.caller, revokedCallers.contains(caller) { return .callerRevoked }
            if !revokedSigners.isEmpty, let entry = submission.entry, revokedSigners.contains(SigningKeyUse(entry)) {
                return .keyRevoked(entry.keyID)
            }
            return nil
        }

        /// The campaigns that prevent exposures from being recorded.
        private func holds(on exposures: [Exposure]) -> [LimitFinding] {
            exposures.compactMap { exposure in
                guard let key = exposure.holdKey, let holder = holders[key], holder != exposure.arm.campaign,
                    holder != exposure.hold?.replacing
                else { return nil }
                let hold = ExclusionHold(group: key.group, unitKind: key.unitKind, unit: key.unit, campaign: holder)
                return LimitFinding(key.group, .held(hold))
            }
        }

        /// Takes the series of the nonces. Returns a nonce that prevents it: a repeated one, or one of a used series.
        private mutating func take(_ signatures: [LedgerSignature]) -> UUID? {
            var nonces = NonceSet()
            for index in signatures.indices {
                let nonce = signatures[index].nonce
                if series.contains(nonce.series) || !nonces.insert(nonce) { return nonce }
            }
            nonces.forEachSeries { series.insert($0) }
            return nil
        }
    }
}

/// The decisions on a batch of submissions, and what to write.
package struct LedgerDecision {
    /// One outcome for each submission, in order. Submissions that are `recorded` must be written.
    package internal(set) var outcomes: [[LedgerOutcome]] = []
    /// The new holders of units.
    package internal(set) var holders: [HoldKey: String] = [:]
    /// The places that the batch takes in totals, or passes on.
    package internal(set) var places = PlaceChanges()
}

/// How the signatures of a batch change who holds which place in totals.
///
/// The signature that lapses last holds the place.
package struct PlaceChanges: Sendable {
    /// The number of places added to each total.
    package internal(set) var added: [LimitKey: Int] = [:]
    /// Signatures of the store that hold a place in a total no longer.
    package internal(set) var passedOn: [(signature: OutstandingSignature, total: LimitKey)] = []
    /// Totals in which a signature of the batch holds no place, because another one holds it.
    private var passedOnInBatch: [UUID: [LimitKey]] = [:]

    package init() {}

    /// Whether a signature of the batch holds a place in one of its totals.
    package func isHeld(_ total: LimitKey, by nonce: UUID) -> Bool {
        passedOnInBatch.isEmpty || passedOnInBatch[nonce]?.contains(total) != true
    }

    mutating func passOn(_ total: LimitKey, from nonce: UUID) { passedOnInBatch[nonce, default: []].append(total) }
}
