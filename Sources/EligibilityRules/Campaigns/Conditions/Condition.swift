/// Selects customers by a combination of tests of facts and attributes.
///
/// It holds, does not hold, or is unknown (`Truth`). An empty `all` holds for every customer, an empty `any` for none.
public indirect enum Condition: Hashable, Sendable {
    /// Each of them holds.
    case all([Condition])
    /// At least one of them holds.
    case any([Condition])
    /// The part does not hold. Where the part is unknown, so is its negation.
    case not(Condition)
    /// One test.
    case test(ConditionTest)
    /// A segment's condition, by the segment's id.
    case segment(String)
}
