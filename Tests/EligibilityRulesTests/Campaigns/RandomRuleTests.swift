import TestRandomness
import Testing

@testable import EligibilityRules

@Suite("Random rules and customers")
struct RandomRuleTests {
    private static let contexts = (0..<250 as Range<UInt64>).map(RandomCustomers.context)
    private static let rules = contexts.map(NaiveRule.init)
    /// Ten thousand conditions in ten parts.
    private static let parts = (0..<10 as Range<UInt64>).map { part -> Range<UInt64> in part * 1000..<part * 1000 + 1000 }

    @Test("What is compiled, what explains itself and another reading agree", arguments: parts)
    func sameTruth(seeds: Range<UInt64>) throws {
        for seed in seeds {
            var source = RandomConditions(seed: seed)
            let condition = source.condition()
            var compiler = ConditionCompiler(segments: RandomConditions.segments)
            let read = compiler.compile(condition, at: "audience")
            let compiled = try #require(read, "\(seed): \(compiler.findings)")
            var table = TestTable()
            let program = AudienceProgram(compiled, &table)
            let layout = TestLayout(table)
            for _ in 0..<5 {
                let index = source.random.below(Self.contexts.count)
                let context = Self.contexts[index]
                let truth = compiled.truth(context.facts, context.attributes)
                let naive = Self.rules[index].holds(condition)
                let trace = ConditionTracer(
                    segments: RandomConditions.segments, facts: context.facts, attributes: context.attributes
                ).trace(condition, at: "audience")
                guard truth == naive.map({ $0 ? .yes : .no }) ?? .unknown, trace.truth == truth,
                    program.fits(TestResults(layout), context) == (truth == .yes), trace.obstacles().isEmpty == (truth == .yes)
                else {
                    Issue.record(
                        "seed \(seed), customer \(index): \(truth), \(String(describing: naive)), \(trace.truth): \(condition)")
                    return
                }
            }
        }
    }

    @Test("The random rules hold, fail and are unknown, each often enough")
    func reach() {
        var counts: [Truth: Int] = [:]
        for seed in 0..<2000 as Range<UInt64> {
            var source = RandomConditions(seed: seed)
            var compiler = ConditionCompiler(segments: RandomConditions.segments)
            let compiled = compiler.compile(source.condition(), at: "audience")
            let context = Self.contexts[source.random.below(Self.contexts.count)]
            counts[compiled!.truth(context.facts, context.attributes), default: 0] += 1
        }
        for truth in Truth.allCases { #expect(counts[truth, default: 0] > 300, "\(truth)") }
    }

    @Test("No customer matches a condition that is called dead", arguments: parts)
    func deadIsDead(seeds: Range<UInt64>) {
        for seed in seeds {
            var source = RandomConditions(seed: seed &* 7919)
            let condition = Condition.all([source.condition(), source.condition(), source.condition()])
            var compiler = ConditionCompiler(segments: RandomConditions.segments)
            guard let compiled = compiler.compile(condition, at: "audience"), compiled.isDead else { continue }
            for (index, context) in Self.contexts.enumerated() {
                guard compiled.truth(context.facts, context.attributes) != .yes else {
                    Issue.record("seed \(seed), customer \(index): \(condition)")
                    return
                }
            }
        }
    }

    @Test("Enough of the random conditions are called dead for that to mean something")
    func deadReach() {
        let dead = (0..<1000 as Range<UInt64>).count { seed in
            var source = RandomConditions(seed: seed &* 7919)
            let condition = Condition.all([source.condition(), source.condition(), source.condition()])
            var compiler = ConditionCompiler(segments: RandomConditions.segments)
            return compiler.compile(condition, at: "audience")?.isDead == true
        }
        #expect(dead > 50 && dead < 900, "\(dead)")
    }
}
