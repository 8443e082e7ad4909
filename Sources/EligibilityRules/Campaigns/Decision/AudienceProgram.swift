/// An audience laid out flat, without a reference to follow: its steps and its tests stand in a table that all campaigns share.
struct AudienceProgram: Sendable {
    fileprivate enum Kind: UInt8 {
        case all, any, not, test
    }

    /// A part of a condition; its own parts follow it.
    struct Step: Sendable {
        fileprivate let kind: Kind
        /// Of a test, its place in the table.
        fileprivate let test: Int32
        /// Where the parts end, as the next step.
        fileprivate var end: Int32
    }

    private let start: Int

    init(_ condition: CompiledCondition, _ table: inout TestTable) {
        start = table.steps.count
        Self.append(condition, &table)
    }

    private static func append(_ condition: CompiledCondition, _ table: inout TestTable) {
        let place = table.steps.count
        let (kind, parts): (Kind, [CompiledCondition])
        switch condition {
        case .test(let test):
            let step = Step(kind: .test, test: Int32(table.place(of: test)), end: Int32(place + 1))
            table.steps.append(step)
            return
        case .all(let all): (kind, parts) = (.all, all)
        case .any(let any): (kind, parts) = (.any, any)
        case .not(let part): (kind, parts) = (.not, [part])
        }
        table.steps.append(Step(kind: kind, test: 0, end: 0))
        for part in parts { append(part, &table) }
        table.steps[place].end = Int32(table.steps.count)
    }

    /// Looks at no more than it needs.
    func truth(_ results: borrowing TestResults, for context: borrowing CampaignContext) -> Truth {
        Self.truth(of: start, results.steps, results, context)
    }

    private static func truth(
        of place: Int,
        _ steps: UnsafeBufferPointer<Step>,
        _ results: borrowing TestResults,
        _ context: borrowing CampaignContext
    ) -> Truth {
        let step = steps[place]
        switch step.kind {
        case .test: return results.truth(of: Int(step.test), for: context)
        case .not: return truth(of: place + 1, steps, results, context).denied
        case .all, .any:
            let decisive = step.kind == .all ? Truth.no : .yes
            var joined = decisive.denied
            var next = place + 1
            while next < Int(step.end) {
                let part = truth(of: next, steps, results, context)
                if part == decisive { return decisive }
                if part == .unknown { joined = .unknown }
                next = Int(steps[next].end)
            }
            return joined
        }
    }
}
