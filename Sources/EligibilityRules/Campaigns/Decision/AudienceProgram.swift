/// An audience as a graph of tests, in which the result of each test selects the next test.
///
/// Each step wants its test to hold, or wants it to be known not to hold. It has two exits: one for the wanted result, and one
/// for any other result, including `unknown`. Two exits are enough because a `not` only reverses what is wanted of its part. An
/// `all` is known not to hold as soon as one of its parts is known not to hold, and an `any` if all of its parts are.
struct AudienceProgram: Sendable {
    /// A test, the result wanted of it, and the two exits.
    struct Step: Sendable {
        /// The index of the test in the table.
        let test: Int32
        /// The result wanted of the test: `yes` or `no`.
        let wanted: Truth
        let ifSo: Int32
        let ifNot: Int32
    }

    private static let fits: Int32 = -1
    private static let doesNot: Int32 = -2

    /// The program of an audience that admits every customer.
    static let everybody = AudienceProgram(start: fits)

    private let start: Int32

    private init(start: Int32) { self.start = start }

    init(_ condition: CompiledCondition, _ table: inout TestTable) {
        start = Self.append(condition, .yes, ifSo: Self.fits, ifNot: Self.doesNot, &table)
    }

    /// Appends the steps of a condition.
    ///
    /// The last step is appended first, because a step must know the places of the steps that follow it.
    ///
    /// - Parameter wanted: the result wanted of the condition: `yes` or `no`.
    /// - Returns: the place of the condition's first step.
    private static func append(
        _ condition: CompiledCondition,
        _ wanted: Truth,
        ifSo: Int32,
        ifNot: Int32,
        _ table: inout TestTable
    ) -> Int32 {
        let (parts, isEachWanted): ([CompiledCondition], Bool)
        switch condition {
        case .test(let test):
            table.steps.append(Step(test: Int32(table.place(of: test)), wanted: wanted, ifSo: ifSo, ifNot: ifNot))
            return Int32(table.steps.count - 1)
        case .not(let part): return append(part, wanted.denied, ifSo: ifSo, ifNot: ifNot, &table)
        case .all(let all): (parts, isEachWanted) = (all, wanted == .yes)
        case .any(let any): (parts, isEachWanted) = (any, wanted == .no)
        }
        var next = isEachWanted ? ifSo : ifNot
        for part in parts.reversed() {
            next = append(part, wanted, ifSo: isEachWanted ? next : ifSo, ifNot: isEachWanted ? ifNot : next, &table)
        }
        return next
    }

    /// Whether the customer is in the audience.
    ///
    /// Only the tests on the way through the graph are evaluated.
    func fits(_ results: borrowing TestResults, _ context: borrowing CampaignContext) -> Bool {
        var place = start
        while place >= 0 {
            let step = results.step(Int(place))
            place = results.truth(of: Int(step.test), for: context) == step.wanted ? step.ifSo : step.ifNot
        }
        return place == Self.fits
    }
}
