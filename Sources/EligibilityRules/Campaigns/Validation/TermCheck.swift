/// Checks whether the literals of a term contradict each other.
///
/// They may be about the same value, or about facts that depend on each other.
struct TermCheck {
    private var bySubject: [CompiledTest.Subject: [ConditionLiteral]]

    init(_ term: ConditionTerm) { bySubject = Dictionary(grouping: term, by: \.test.subject) }

    /// Whether the literals contradict each other, so that no customer can pass all of them.
    var isDead: Bool {
        if bySubject.contains(where: { SubjectLiterals($0.key, $0.value).isDead }) { return true }
        let groups = Set(
            bySubject.keys.compactMap { subject -> ExactText? in
                if case .fact(let reference) = subject { reference.group } else { nil }
            })
        return groups.contains { states(inGroup: $0).isEmpty } || hasRedemptionConflict
    }

    /// Returns the states of a group's subscription that pass the tests of the state and in which all required values can exist.
    private func states(inGroup group: ExactText) -> Set<SubscriptionState> {
        let literals = self.literals(.subscriptionState, group)
        var states = Set(
            SubscriptionState.allCases.filter { state in
                literals.allSatisfy { if case .exists = $0.test.test { true } else { $0.mayPass(.text(state.rawValue)) } }
            })
        if needs(.subscriptionDaysSinceLapse, group) { states.formIntersection([.expired, .revoked]) }
        if needs(.subscriptionDaysUntilRenewal, group) {
            states.formIntersection([.active])
            // The number of days exists only if the subscription is known to renew.
            if self.literals(.subscriptionWillRenew, group).contains(where: { !$0.mayPass(true) && $0.test.test != .exists(true) }
            ) {
                return []
            }
        }
        let shown: [ConditionFact] = [
            .subscriptionProductID, .subscriptionStorefront, .subscriptionPrice, .subscriptionExpirationIntent,
            .subscriptionWillRenew,
        ]
        let counted: [ConditionFact] = [.subscriptionPaidPeriods, .subscriptionDaysSubscribed]
        if shown.contains(where: { needs($0, group) }) || counted.contains(where: { isAboveZero($0, group) }) {
            states.remove(.never)
        }
        return states
    }

    /// Whether the literals require a redeemed offer, and also that no offer was redeemed.
    private var hasRedemptionConflict: Bool {
        let names = literals(.offersRedeemed, nil).contains { literal in
            if case .member = literal.test.test { !literal.isDenied } else { false }
        }
        guard names || needs(.offersDaysSinceLast, nil) else { return false }
        let subject = CompiledTest.Subject.fact(FactReference(fact: .offersRedeemedCount, group: nil))
        let some = ConditionLiteral(test: CompiledTest(subject: subject, test: .number(.above(0))), isDenied: false)
        return SubjectLiterals(subject, literals(.offersRedeemedCount, nil) + [some]).isDead
    }

    private func literals(_ fact: ConditionFact, _ group: ExactText?) -> [ConditionLiteral] {
        bySubject[.fact(FactReference(fact: fact, group: group))] ?? []
    }

    private func needs(_ fact: ConditionFact, _ group: ExactText?) -> Bool {
        SubjectLiterals(.fact(FactReference(fact: fact, group: group)), literals(fact, group)).needsValue
    }

    private func isAboveZero(_ fact: ConditionFact, _ group: ExactText) -> Bool {
        literals(fact, group).contains { if case .exists = $0.test.test { false } else { !$0.mayPass(0) } }
    }
}

extension CompiledCondition {
    /// Whether no customer can match the condition; false also if that cannot be determined.
    var isDead: Bool { terms().map { $0.allSatisfy { TermCheck($0).isDead } } ?? false }

    /// Whether no customer can match both conditions; false also if that cannot be determined.
    func excludes(_ other: CompiledCondition) -> Bool { CompiledCondition.all([self, other]).isDead }
}
