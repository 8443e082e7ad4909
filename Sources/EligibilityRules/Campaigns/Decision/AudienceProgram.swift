/// An audience as tests that lead to each other: which one is next depends on what the one before has come to.
///
/// Whether a condition holds, missing values or not, follows from which tests hold and which are denied alone: `not` turns what is
/// wanted of its part, `all` that is to be denied wants one part denied. So two ways out of each test are enough.
struct AudienceProgram: Sendable {
    /// A test, and where to go on.
    struct Step: Sendable {
        /// Its place in the table.
        let test: Int32
        let wanted: Truth
        let ifSo: Int32
        let ifNot: Int32
    }

    private static let fits: Int32 = -1
    private static let doesNot: Int32 = -2

    /// Everybody fits.
    static let everybody = AudienceProgram(start: fits)

    private let start: Int32

    private init(start: Int32) { self.start = start }

    init(_ condition: CompiledCondition, _ table: inout TestTable) {
        start = Self.append(condition, .yes, ifSo: Self.fits, ifNot: Self.doesNot, &table)
    }

    /// Lays it out from its end, because each step has to know where to go on.
    ///
    /// - Parameter wanted: `yes` or `no`.
    /// - Returns: where it begins.
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

    /// Whether the customer is in it. Looks at no more than it needs.
    func fits(_ results: borrowing TestResults, _ context: borrowing CampaignContext) -> Bool {
        var place = start
        while place >= 0 {
            let step = results.step(Int(place))
            place = results.truth(of: Int(step.test), for: context) == step.wanted ? step.ifSo : step.ifNot
        }
        return place == Self.fits
    }
}
