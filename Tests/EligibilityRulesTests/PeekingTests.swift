import TestRandomness
import Testing

@testable import EligibilityRules

/// Whole experiments, drawn at random and looked at again and again.
@Suite("Looking at experiments every day")
struct PeekingTests {
    /// What became of many experiments.
    struct Tally {
        var winners = 0
        var alarms = 0
        var units = 0
        let experiments: Int
        var share: Double { Double(winners) / Double(experiments) }
    }

    /// Every experiment gets 50 units at a time, and ends at the first verdict.
    private func run(
        _ plan: ExperimentPlan,
        _ rates: [Double],
        experiments: Int,
        units: Int = 20_000,
        seed: UInt64,
        split: Double = 0.5,
        start: ExperimentConclusion = .undecided
    ) -> Tally {
        var random = SplitMix64(seed: seed)
        var tally = Tally(experiments: experiments)
        let (half, draws) = (BinomialDraw(upTo: 50, share: split), rates.map { BinomialDraw(upTo: 50, share: $0) })
        let third = BinomialDraw(upTo: 50, share: 1 / Double(rates.count))
        for _ in 0..<experiments {
            var (exposed, converted) = ([Int](repeating: 0, count: rates.count), [Int](repeating: 0, count: rates.count))
            var seen = 0
            while seen < units {
                seen += 50
                var rest = 50
                for variant in rates.indices {
                    let isLast = variant == rates.count - 1
                    let more =
                        isLast
                        ? rest
                        : rates.count == 2
                            ? half.next(of: rest, &random)
                            : variant == 0 ? third.next(of: rest, &random) : half.next(of: rest, &random)
                    rest -= more
                    exposed[variant] += more
                    converted[variant] += draws[variant].next(of: more, &random)
                }
                let outcomes = zip(converted, exposed).map { Conversions($0, of: $1) ?? .none }
                let conclusion = plan.conclusion(
                    ExperimentCounts(
                        exposed: exposed, outcomes: outcomes.map { GoalOutcomes($0) },
                        atHorizon: outcomes.map { GoalOutcomes($0) }))
                if case .winner = conclusion {
                    tally.winners += 1
                } else if conclusion == .sampleRatioMismatch {
                    tally.alarms += 1
                }
                if case .winner = conclusion { break }
                if conclusion == .sampleRatioMismatch { break }
            }
            tally.units += seen
        }
        return tally
    }

    /// A count that a share of so many experiments exceeds less than once in ten thousand runs; the draws are fixed anyway.
    private func limit(_ share: Double, of experiments: Int) -> Double {
        share + 3.72 * (share * (1 - share) / Double(experiments)).squareRoot()
    }

    @Test("Of 4,000 A/A tests with 400 looks each at most 5 % ever call a winner", arguments: [0.1])
    func sequential(rate: Double) throws {
        let plan = try #require(
            ExperimentPlan(weights: [5000, 5000], effect: ChosenEffect(detect: 0.03, expected: rate)))
        let tally = run(plan, [rate, rate], experiments: 4000, seed: 1)
        print(
            "sequential A/A at \(rate), 4,000 tests, 400 looks: \(PlainNumber.ofHundred(tally.share)) % called a winner, \(tally.alarms) split alarms"
        )
        #expect(tally.share <= 0.05)
        // A test that never calls anything would pass, too.
        #expect(tally.winners > 0)
        #expect(Double(tally.alarms) <= limit(ExperimentPlan.sampleRatioAlpha, of: 4000) * 4000)
    }

    @Test(
        "A/A tests of rare, frequent and nearly certain goals, and without a chosen effect", arguments: [0.005, 0.02, 0.5, 0.97])
    func otherRates(rate: Double) throws {
        let plan = try #require(ExperimentPlan(weights: [5000, 5000]))
        let tally = run(plan, [rate, rate], experiments: 400, seed: 2)
        print("sequential A/A at \(rate), 400 tests, 400 looks: \(PlainNumber.ofHundred(tally.share)) % called a winner")
        #expect(tally.share <= 0.05)
    }

    @Test(
        "A/A tests planned for a large effect, which look hardest at the first few units, and of uneven splits",
        arguments: [
            (0.02, 0.5), (0.1, 0.5), (0.3, 0.5), (0.02, 0.9), (0.1, 0.9), (0.02, 0.1), (0.1, 0.1), (0.5, 0.1),
        ])
    func early(rate: Double, control: Double) throws {
        let weights = [Int((control * 10_000).rounded()), Int(((1 - control) * 10_000).rounded())]
        let plan = try #require(ExperimentPlan(weights: weights, effect: ChosenEffect(detect: 0.3, expected: 0.1)))
        let tally = run(plan, [rate, rate], experiments: 1000, units: 5000, seed: 10, split: control)
        print(
            "sequential A/A at \(rate), control \(weights[0]), large effect, 1,000 tests: \(PlainNumber.ofHundred(tally.share)) % called a winner"
        )
        #expect(tally.share <= 0.05)
    }

    @Test("Two variants against one control share the 5 %")
    func family() throws {
        let plan = try #require(
            ExperimentPlan(weights: [3334, 3333, 3333], effect: ChosenEffect(detect: 0.03, expected: 0.1)))
        let tally = run(plan, [0.1, 0.1, 0.1], experiments: 500, seed: 3)
        print("sequential A/A/A at 0.1, 500 tests, 400 looks: \(PlainNumber.ofHundred(tally.share)) % called a winner")
        #expect(tally.share <= 0.05)
    }

    @Test("Looking daily at Newcombe's interval would call many more winners: the test can fail")
    func peeking() throws {
        var random = SplitMix64(seed: 4)
        let (half, draw) = (BinomialDraw(upTo: 50, share: 0.5), BinomialDraw(upTo: 50, share: 0.1))
        let z = NormalDistribution.criticalValue(alpha: 0.05)
        var winners = 0
        for _ in 0..<400 {
            var (n, m, s, r) = (0, 0, 0, 0)
            for _ in 0..<400 {
                let more = half.next(of: 50, &random)
                (n, m) = (n + more, m + 50 - more)
                (s, r) = (s + draw.next(of: more, &random), r + draw.next(of: 50 - more, &random))
                guard let one = Conversions(s, of: n), let other = Conversions(r, of: m), ExperimentPlan.isEnough(one),
                    ExperimentPlan.isEnough(other), let difference = RateDifference(control: one, treatment: other)
                else { continue }
                if abs(difference.zTest.z) > z {
                    winners += 1
                    break
                }
            }
        }
        print(
            "z test looked at 400 times, A/A at 0.1, 400 tests: \(PlainNumber.ofHundred(Double(winners) / 400)) % called a winner"
        )
        #expect(Double(winners) / 400 > 0.2)
    }

    @Test("At its one look a fixed horizon calls 5 % of 4,000 A/A tests a winner")
    func fixedHorizon() throws {
        let effect = try #require(ChosenEffect(detect: 0.03, expected: 0.1))
        let units = 20_000
        let plan = try #require(ExperimentPlan(weights: [5000, 5000], method: .fixedHorizon(units: units), effect: effect))
        let tally = runToHorizon(plan, [0.1, 0.1], units: units, experiments: 4000, seed: 5)
        print(
            "fixed horizon A/A at 0.1, 4,000 tests, one look at \(units): \(PlainNumber.ofHundred(tally.share)) % called a winner, \(tally.alarms) split alarms"
        )
        #expect(tally.share <= limit(0.05, of: 4000))
        #expect(tally.share > 0.03)
        // Two checks, chi-square and e-value, of 0.1 % each.
        #expect(Double(tally.alarms) <= limit(2 * ExperimentPlan.sampleRatioAlpha, of: 4000) * 4000)
    }

    /// Whole experiments of so many units, read once.
    private func runToHorizon(_ plan: ExperimentPlan, _ rates: [Double], units: Int, experiments: Int, seed: UInt64) -> Tally {
        var random = SplitMix64(seed: seed)
        var tally = Tally(experiments: experiments)
        let (half, draws) = (BinomialDraw(upTo: 50, share: 0.5), rates.map { BinomialDraw(upTo: 50, share: $0) })
        for _ in 0..<experiments {
            var (exposed, converted) = ([0, 0], [0, 0])
            for step in 0..<(units + 49) / 50 {
                let all = min(50, units - step * 50)
                let one = half.next(of: all, &random)
                (exposed[0], exposed[1]) = (exposed[0] + one, exposed[1] + all - one)
                converted[0] += draws[0].next(of: one, &random)
                converted[1] += draws[1].next(of: all - one, &random)
            }
            let outcomes = zip(converted, exposed).map { Conversions($0, of: $1) ?? .none }
            let conclusion = plan.conclusion(
                ExperimentCounts(
                    exposed: exposed, outcomes: outcomes.map { GoalOutcomes($0) }, atHorizon: outcomes.map { GoalOutcomes($0) }))
            if case .winner = conclusion { tally.winners += 1 } else if conclusion == .sampleRatioMismatch { tally.alarms += 1 }
        }
        return tally
    }

    @Test(
        "10 % against 13 %: a fixed horizon of the planned size finds it four times out of five, a sequence by its planned size more often"
    )
    func power() throws {
        let effect = try #require(ChosenEffect(detect: 0.03, expected: 0.1))
        let sequential = try #require(ExperimentPlan(weights: [5000, 5000], effect: effect))
        let units = try #require(sequential.unitsForFixedHorizon)
        let fixed = try #require(ExperimentPlan(weights: [5000, 5000], method: .fixedHorizon(units: units), effect: effect))
        let once = runToHorizon(fixed, [0.1, 0.13], units: units, experiments: 2000, seed: 6)
        let most = try #require(sequential.unitsForSequential)
        let sequence = run(sequential, [0.1, 0.13], experiments: 500, units: most, seed: 7)
        print("10 % v 13 %, fixed horizon of \(units) units: \(PlainNumber.ofHundred(once.share)) % found it")
        print(
            "10 % v 13 %, sequential up to \(most) units: \(PlainNumber.ofHundred(sequence.share)) % found it, after \(sequence.units / 500) units on average"
        )
        #expect(once.share > 0.77 && once.share < 0.84)
        #expect(sequence.share > 0.8)
    }

    @Test(
        "Of 4,000 right splits looked at 400 times at most 0.1 % raise an alarm; 55 : 45 raises it always, after some 2,000 units"
    )
    func sampleRatio() throws {
        let test = try #require(SampleRatioTest(weights: [5000, 5000]))
        let threshold = -Libm.log(ExperimentPlan.sampleRatioAlpha)
        func alarms(_ share: Double, experiments: Int, seed: UInt64) -> (alarms: Int, units: Int) {
            var random = SplitMix64(seed: seed)
            let half = BinomialDraw(upTo: 50, share: share)
            var (alarms, units) = (0, 0)
            for _ in 0..<experiments {
                var observed = [0, 0]
                for _ in 0..<400 {
                    let more = half.next(of: 50, &random)
                    (observed[0], observed[1]) = (observed[0] + more, observed[1] + 50 - more)
                    guard test.logEValue(observed) >= threshold else { continue }
                    (alarms, units) = (alarms + 1, units + observed[0] + observed[1])
                    break
                }
            }
            return (alarms, units)
        }
        let right = alarms(0.5, experiments: 4000, seed: 8)
        let wrong = alarms(0.55, experiments: 200, seed: 9)
        print("sample ratio, right split, 4,000 tests, 400 looks: \(PlainNumber.ofHundred(Double(right.alarms) / 4000)) % alarms")
        print(
            "sample ratio, 55 : 45, 200 tests: \(PlainNumber.ofHundred(Double(wrong.alarms) / 200)) % alarms, after \(wrong.units / max(1, wrong.alarms)) units on average"
        )
        #expect(right.alarms <= 4)
        #expect(wrong.alarms == 200)
    }
}
