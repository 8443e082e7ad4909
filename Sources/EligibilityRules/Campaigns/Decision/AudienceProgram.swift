/// An audience as a graph of tests: the result of each test selects the next one.
///
/// Whether a condition holds depends only on which tests hold and which are denied, even where values are missing.
/// `not` reverses the result wanted of its part, and an `all` to be denied wants one part denied.
/// So two exits from each test suffice.
struct AudienceProgram: Sendable {
    /// A test and its exits.
    struct Step: Sendable {
        /// The index of the test in the table.
        let test: Int32
        let wanted: Truth
        let ifSo: Int32
        let ifNot: Int32
    }

    private static let fits: Int32 = -1
    private static let doesNot: Int32 = -2

    /// Admits every customer.
    static let everybody = AudienceProgram(start: fits)

    private let start: Int32

    private init(start: Int32) { self.start = start }

    init(_ condition: CompiledCondition, _ table: inout TestTable) {
        start = Self.append(condition, .yes, ifSo: Self.fits, ifNot: Self.doesNot, &table)
    }

    /// Appends a condition, the last step first, because each step must know its exits.
    ///
    /// - Parameter wanted: `yes` or `no`.
    /// - Returns: the place of its first step.
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

    /// Whether the customer is in the audience. Evaluates no more tests than it needs.
    func fits(_ results: borrowing TestResults, _ context: borrowing CampaignContext) -> Bool {
        var place = start
        while place >= 0 {
            let step = results.step(Int(place))
            place = results.truth(of: Int(step.test), for: context) == step.wanted ? step.ifSo : step.ifNot
        }
        return place == Self.fits
    }
}
