/// A fact and its subscription group.
struct FactReference: Hashable, Sendable {
    let fact: ConditionFact
    /// Nil where the fact has no group.
    let group: ExactText?
}
