/// Audiences laid out flat, without a reference to follow; their tests stand in a table that all campaigns share.
struct AudienceProgram: Sendable {
    private enum Kind: UInt8 {
        case all, any, not, test
    }

    /// A part of a condition; its own parts follow it.
    private struct Step {
        let kind: Kind
        /// Of a test, its place in the table.
        let test: Int32
        /// Where the parts end, as the next step.
        var end: Int32
    }

    private var steps: [Step] = []

    init(_ condition: CompiledCondition, _ table: inout TestTable) { append(condition, &table) }

    private mutating func append(_ condition: CompiledCondition, _ table: inout TestTable) {
        let place = steps.count
        let (kind, parts): (Kind, [CompiledCondition])
        switch condition {
        case .test(let test):
            steps.append(Step(kind: .test, test: Int32(table.place(of: test)), end: Int32(place + 1)))
            return
        case .all(let all): (kind, parts) = (.all, all)
        case .any(let any): (kind, parts) = (.any, any)
        case .not(let part): (kind, parts) = (.not, [part])
        }
        steps.append(Step(kind: kind, test: 0, end: 0))
        for part in parts { append(part, &table) }
        steps[place].end = Int32(steps.count)
    }

    /// Looks at no more than it needs.
    func truth(_ results: borrowing TestResults) -> Truth {
        steps.withUnsafeBufferPointer { AudienceProgram.truth(of: 0, $0, results) }
    }

    private static func truth(of place: Int, _ steps: UnsafeBufferPointer<Step>, _ results: borrowing TestResults) -> Truth {
        let step = steps[place]
        switch step.kind {
        case .test: return results.truth(of: Int(step.test))
        case .not: return truth(of: place + 1, steps, results).denied
        case .all, .any:
            let decisive = step.kind == .all ? Truth.no : .yes
            var joined = decisive.denied
            var next = place + 1
            while next < Int(step.end) {
                let part = truth(of: next, steps, results)
                if part == decisive { return decisive }
                if part == .unknown { joined = .unknown }
                next = Int(steps[next].end)
            }
            return joined
        }
    }
}
