/// Who is meant: tests of facts and attributes, joined.
///
/// It holds, does not hold, or nobody can tell (`Truth`). `all` and `any` of nothing hold for everybody and for nobody.
public indirect enum Condition: Hashable, Sendable {
    /// Each of them holds.
    case all([Condition])
    /// At least one of them holds.
    case any([Condition])
    /// It does not hold; where nobody can tell, this does not hold either.
    case not(Condition)
    /// One test.
    case test(ConditionTest)
    /// A segment's condition, by the segment's id.
    case segment(String)
}
