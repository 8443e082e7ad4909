/// The fact that a test names, with the subscription group.
struct FactReference: Hashable, Sendable {
    let fact: ConditionFact
    /// The id of the subscription group; nil if the test names none.
    let group: ExactText?
}
