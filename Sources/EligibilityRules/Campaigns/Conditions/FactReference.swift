/// A fact, and the subscription group that is meant.
struct FactReference: Hashable, Sendable {
    let fact: ConditionFact
    /// Nil where the fact is no group's.
    let group: ExactText?
}
